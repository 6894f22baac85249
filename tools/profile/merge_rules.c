// merge_rules.c - how each field of each record is merged.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/profile/merge_parts.h"

// One constant for each field; abi.def asks for all of them below.
enum {
  ENV_start_time_s = MERGE_FIRST,
  ENV_elapsed_ticks = MERGE_SUM,
  ENV_cpu_ns = MERGE_SUM,
  ENV_timer_hz = MERGE_APART, // of the longest process
  ENV_step_ticks = MERGE_LEAST_KNOWN,
  ENV_pair_ticks = MERGE_LEAST_KNOWN, // noise only ever adds to it
  ENV_probe_ticks = MERGE_SUM,
  ENV_pid = MERGE_FIRST,
  ENV_parent_pid = MERGE_FIRST,
  ENV_thread_count = MERGE_SUM,
  ENV_floor_t_e_ps = MERGE_FLOOR,
  ENV_floor_t_min_ps = MERGE_FLOOR,
  ENV_floor_t_diff_ps = MERGE_FLOOR,
  ENV_floor_time_s = MERGE_FLOOR,
  ENV_executable = MERGE_FIRST,
  ENV_arguments = MERGE_FIRST,
  ENV_host = MERGE_FIRST,
  ENV_cpu_model = MERGE_FIRST,
  ENV_hypervisor = MERGE_FIRST,
  ENV_clock_source = MERGE_FIRST,
  ENV_timer = MERGE_FIRST,
  ENV_runtime_version = MERGE_FIRST,
  ENV_cpu_count = MERGE_FIRST,
  ENV_timer_flags = MERGE_FIRST,
  ENV_pmu_errno = MERGE_FIRST,
  ENV_probe_budget_permille = MERGE_FIRST,
  ENV_thread_ticks = MERGE_SUM,
  ENV_stopped_ticks = MERGE_SUM,
  ENV_thread_stopped_ticks = MERGE_SUM,
  ENV_stops = MERGE_SUM,
  ENV_stop_watch = MERGE_MIN, // 1 only if all looked
  ENV_when_shift = MERGE_APART,
  ENV_reserved = MERGE_FIRST,

  OBJECT_source = MERGE_FIRST,
  OBJECT_directory = MERGE_FIRST,
  OBJECT_compiler = MERGE_FIRST,
  OBJECT_module = MERGE_FIRST,
  OBJECT_functions = MERGE_FIRST,
  OBJECT_functions_probed = MERGE_FIRST,
  OBJECT_loops = MERGE_FIRST,
  OBJECT_loops_probed = MERGE_FIRST,
  OBJECT_loops_short = MERGE_FIRST,
  OBJECT_loops_ignored = MERGE_FIRST,
  OBJECT_loops_unsupported = MERGE_FIRST,
  OBJECT_opt_level = MERGE_FIRST,

  MODULE_load_address = MERGE_MIN, // differs from process to process
  MODULE_path = MERGE_FIRST,
  MODULE_build_id = MERGE_FIRST,
  MODULE_instrumented = MERGE_MAX,
  MODULE_layout = MERGE_MAX,

  LOOP_id = MERGE_FIRST,
  LOOP_function = MERGE_FIRST,
  LOOP_inlined_from = MERGE_FIRST,
  LOOP_file = MERGE_FIRST,
  LOOP_line = MERGE_FIRST,
  LOOP_column = MERGE_FIRST,
  LOOP_depth = MERGE_FIRST,
  LOOP_work_class = MERGE_MAX, // C says less than P, P less than F
  LOOP_flags = MERGE_LOOP_FLAGS,
  LOOP_object = MERGE_APART,
  LOOP_hist_count = MERGE_APART,
  LOOP_hist_first = MERGE_APART,
  LOOP_raw_first = MERGE_APART,
  LOOP_raw_count = MERGE_APART,
  LOOP_executions = MERGE_SUM,
  LOOP_samples = MERGE_SUM,
  LOOP_weight = MERGE_SUM,
  LOOP_sum_ticks = MERGE_SUM,
  LOOP_weighted_ticks = MERGE_SUM,
  LOOP_min_ticks = MERGE_MIN,
  LOOP_max_ticks = MERGE_MAX,
  LOOP_lost = MERGE_SUM,
  LOOP_abandoned = MERGE_SUM,
  LOOP_migrated = MERGE_SUM,

  STRUCT_id = MERGE_FIRST,
  STRUCT_name = MERGE_FIRST,
  STRUCT_file = MERGE_FIRST,
  STRUCT_line = MERGE_FIRST,
  STRUCT_size_bytes = MERGE_FIRST,
  STRUCT_flags = MERGE_FIRST,
  STRUCT_reserved = MERGE_MAX,

  MEMBER_structure = MERGE_APART,
  MEMBER_name = MERGE_FIRST,
  MEMBER_type = MERGE_FIRST,
  MEMBER_offset_bytes = MERGE_FIRST,
  MEMBER_size_bytes = MERGE_FIRST,
  MEMBER_bit_offset = MERGE_FIRST,
  MEMBER_bit_size = MERGE_FIRST,
  MEMBER_flags = MERGE_FIRST,

  ACCESS_block = MERGE_FIRST,
  ACCESS_loop = MERGE_FIRST,
  ACCESS_count = MERGE_SUM,
  ACCESS_structure = MERGE_APART,
  ACCESS_offset_bytes = MERGE_FIRST,
  ACCESS_bytes = MERGE_FIRST,
  ACCESS_times = MERGE_FIRST,
  ACCESS_flags = MERGE_FIRST,
  ACCESS_function = MERGE_FIRST,
  ACCESS_file = MERGE_FIRST,
  ACCESS_line = MERGE_FIRST,
  ACCESS_loop_line = MERGE_FIRST,
  ACCESS_reserved = MERGE_MAX,

  FIELDUNIT_source = MERGE_FIRST,
  FIELDUNIT_counters = MERGE_FIRST,
  FIELDUNIT_named = MERGE_FIRST,
  FIELDUNIT_unnamed = MERGE_FIRST,
  FIELDUNIT_flags = MERGE_MAX,
  FIELDUNIT_reserved = MERGE_MAX,

  BLOCK_loop = MERGE_FIRST,
  BLOCK_address = MERGE_FIRST,
  BLOCK_offset = MERGE_FIRST,
  BLOCK_cycles = MERGE_FIRST,
  BLOCK_cycles_low = MERGE_FIRST,
  BLOCK_cycles_high = MERGE_FIRST,
  BLOCK_module = MERGE_FIRST,
  BLOCK_function = MERGE_FIRST,
  BLOCK_file = MERGE_FIRST,
  BLOCK_line = MERGE_FIRST,
  BLOCK_code = MERGE_FIRST,
  BLOCK_instructions = MERGE_FIRST,
  BLOCK_status = MERGE_FIRST,
  BLOCK_reason = MERGE_FIRST,
  BLOCK_accepted_permille = MERGE_FIRST,
  BLOCK_rounds = MERGE_FIRST,
  BLOCK_pages = MERGE_FIRST,
  BLOCK_frames = MERGE_FIRST,
  BLOCK_rank = MERGE_FIRST,
  BLOCK_reserved = MERGE_MAX,

  TOPDOWN_loop = MERGE_FIRST,
  TOPDOWN_tree = MERGE_FIRST,
  TOPDOWN_events = MERGE_FIRST,
  TOPDOWN_error = MERGE_MAX,
  TOPDOWN_flags = MERGE_FIRST,
  TOPDOWN_threads_missed = MERGE_SUM,
  TOPDOWN_lost = MERGE_SUM,
  TOPDOWN_visits = MERGE_SUM,
  TOPDOWN_not_scheduled = MERGE_SUM,
  TOPDOWN_not_readable = MERGE_SUM,
  TOPDOWN_restless = MERGE_SUM,
  TOPDOWN_partly = MERGE_SUM,
  TOPDOWN_backwards = MERGE_SUM,
  TOPDOWN_switched = MERGE_SUM,
  TOPDOWN_count0 = MERGE_SUM,
  TOPDOWN_count1 = MERGE_SUM,
  TOPDOWN_count2 = MERGE_SUM,
  TOPDOWN_count3 = MERGE_SUM,
  TOPDOWN_count4 = MERGE_SUM,
  TOPDOWN_count5 = MERGE_SUM,
  TOPDOWN_count6 = MERGE_SUM,
  TOPDOWN_count7 = MERGE_SUM,
  TOPDOWN_count8 = MERGE_SUM,
  TOPDOWN_count9 = MERGE_SUM,
  TOPDOWN_count10 = MERGE_SUM,
  TOPDOWN_count11 = MERGE_SUM,
  TOPDOWN_coarse = MERGE_SUM,

  EPOCH_start_s = MERGE_FIRST,
  EPOCH_number = MERGE_FIRST,
  EPOCH_closed = MERGE_FIRST,

  SAMPLING_engine = MERGE_FIRST,
  SAMPLING_perf_errno = MERGE_FIRST,
  SAMPLING_period_ns = MERGE_FIRST,
  SAMPLING_samples = MERGE_SUM,
  SAMPLING_time_ns = MERGE_SUM,
  SAMPLING_kernel = MERGE_SUM,
  SAMPLING_unmapped = MERGE_SUM,
  SAMPLING_no_room = MERGE_SUM,
  SAMPLING_lost = MERGE_SUM,
  SAMPLING_threads_missed = MERGE_SUM,
  SAMPLING_cpu_ns = MERGE_SUM,
  SAMPLING_skid_samples = MERGE_SUM,
  SAMPLING_skid_behind = MERGE_SUM,

  LOADFILE_path = MERGE_FIRST,
  LOADFILE_build_id = MERGE_FIRST,

  COUNT_function = MERGE_FIRST,
  COUNT_label = MERGE_FIRST,
  COUNT_count = MERGE_SUM,
  COUNT_flags = MERGE_MAX,

  ADDRESS_loadfile = MERGE_APART,
  ADDRESS_reserved = MERGE_MAX,
  ADDRESS_offset = MERGE_FIRST,
  ADDRESS_samples = MERGE_SUM,
  ADDRESS_time_ns = MERGE_SUM,

  SHADOW_state = MERGE_FIRST,
  SHADOW_sites_state = MERGE_FIRST,
  SHADOW_error = MERGE_FIRST,
  SHADOW_interval_us = MERGE_FIRST,
  SHADOW_samples = MERGE_SUM,
  SHADOW_scan_ns = MERGE_SUM,
  SHADOW_plane_bytes = MERGE_MAX,
  SHADOW_no_room = MERGE_SUM,
  SHADOW_foreign = MERGE_SUM,
  SHADOW_detail = MERGE_FIRST,
  SHADOW_threads = MERGE_MAX,
  SHADOW_looks = MERGE_SUM,
  SHADOW_look_ns = MERGE_SUM,
  SHADOW_lines_lost = MERGE_SUM,
  SHADOW_duty = MERGE_FIRST,
  SHADOW_every = MERGE_MAX,
  SHADOW_bursts = MERGE_SUM,
  SHADOW_burst_ns = MERGE_SUM,

  SITE_id = MERGE_FIRST,
  SITE_kind = MERGE_FIRST,
  SITE_line = MERGE_FIRST,
  SITE_name = MERGE_FIRST,
  SITE_file = MERGE_FIRST,
  SITE_objects = MERGE_SUM,
  SITE_live_objects = MERGE_SUM,
  SITE_touched_objects = MERGE_SUM,
  SITE_bytes = MERGE_SUM,
  SITE_live_bytes = MERGE_SUM,
  SITE_peak_bytes = MERGE_MAX,
  SITE_min_bytes = MERGE_MIN,
  SITE_max_bytes = MERGE_MAX,
  SITE_lifetime_ticks = MERGE_SUM,
  SITE_fetched_bytes = MERGE_SUM,
  SITE_used_bytes = MERGE_SUM,
  SITE_ever_fetched_bytes = MERGE_SUM,
  SITE_ever_used_bytes = MERGE_SUM,
  SITE_lifetime_high = MERGE_SUM,

  SITEFRAME_site = MERGE_FIRST,
  SITEFRAME_depth = MERGE_FIRST,
  SITEFRAME_module = MERGE_FIRST,
  SITEFRAME_build_id = MERGE_FIRST,
  SITEFRAME_reserved = MERGE_MAX,
  SITEFRAME_offset = MERGE_FIRST,

  SITEWORD_site = MERGE_FIRST,
  SITEWORD_word = MERGE_FIRST,
  SITEWORD_reserved = MERGE_MAX,
  SITEWORD_objects = MERGE_SUM,
  SITEWORD_heat = MERGE_SUM,
  SITEWORD_reads = MERGE_SUM,
  SITEWORD_writes = MERGE_SUM,

  SHADOWUNIT_source = MERGE_FIRST,
  SHADOWUNIT_accesses = MERGE_FIRST,
  SHADOWUNIT_marked = MERGE_FIRST,
  SHADOWUNIT_stack = MERGE_FIRST,
  SHADOWUNIT_unmarked = MERGE_FIRST,
  SHADOWUNIT_straddling = MERGE_FIRST,
  SHADOWUNIT_flags = MERGE_FIRST,

  SHAREDLINE_site = MERGE_FIRST,
  SHAREDLINE_offset = MERGE_FIRST,
  SHAREDLINE_first = MERGE_FIRST,
  SHAREDLINE_own = MERGE_FIRST,
  SHAREDLINE_neighbour = MERGE_FIRST,
  SHAREDLINE_lines = MERGE_SUM,
  SHAREDLINE_apart = MERGE_SUM,
  SHAREDLINE_mixed = MERGE_SUM,
  SHAREDLINE_common = MERGE_SUM,
  SHAREDLINE_looks = MERGE_SUM,
  SHAREDLINE_hits = MERGE_SUM,
  SHAREDLINE_read = MERGE_BITS,
  SHAREDLINE_written = MERGE_BITS,
  SHAREDLINE_shared = MERGE_BITS,
  SHAREDLINE_reserved = MERGE_MAX,
  SHAREDLINE_threads_low = MERGE_BITS,
  SHAREDLINE_threads_high = MERGE_BITS,
  SHADOWUNIT_copied = MERGE_FIRST,

  POINTER_module = MERGE_FIRST,
  POINTER_build_id = MERGE_FIRST,
  POINTER_offset = MERGE_FIRST,
  POINTER_site = MERGE_FIRST,
  POINTER_samples = MERGE_SUM,
  POINTER_reg = MERGE_FIRST,
  POINTER_reserved = MERGE_MAX,

  TRIAL_time_s = MERGE_FIRST,
  TRIAL_name = MERGE_FIRST,
  TRIAL_definition = MERGE_FIRST,
  TRIAL_change = MERGE_FIRST,
  TRIAL_profile_build_id = MERGE_FIRST,
  TRIAL_build_id = MERGE_FIRST,
  TRIAL_executable = MERGE_FIRST,
  TRIAL_gain = MERGE_FIRST,
  TRIAL_gain_low = MERGE_FIRST,
  TRIAL_gain_high = MERGE_FIRST,
  TRIAL_tells = MERGE_FIRST,
  TRIAL_written_ns = MERGE_FIRST,
  TRIAL_changed_ns = MERGE_FIRST,
  TRIAL_pairs = MERGE_FIRST,
  TRIAL_clock = MERGE_FIRST,
  TRIAL_verdict = MERGE_FIRST,
  TRIAL_layout = MERGE_FIRST,
  TRIAL_reserved = MERGE_MAX,

  TRIALLOOP_time_s = MERGE_FIRST,
  TRIALLOOP_name = MERGE_FIRST,
  TRIALLOOP_layout = MERGE_FIRST,
  TRIALLOOP_loop = MERGE_FIRST,
  TRIALLOOP_gain = MERGE_FIRST,
  TRIALLOOP_gain_low = MERGE_FIRST,
  TRIALLOOP_gain_high = MERGE_FIRST,

  PROCESS_start_time_s = MERGE_FIRST,
  PROCESS_pid = MERGE_FIRST,
  PROCESS_host = MERGE_FIRST,
  PROCESS_executable = MERGE_FIRST,
  PROCESS_elapsed_ticks = MERGE_APART, // the longer one's rate is the better known
  PROCESS_timer_hz = MERGE_APART,
  PROCESS_thread_first = MERGE_APART,
  PROCESS_thread_count = MERGE_MAX,

  HEALTH_lost_samples = MERGE_SUM,
  HEALTH_abandoned_samples = MERGE_SUM,
  HEALTH_migrated_samples = MERGE_SUM,
  HEALTH_full_tables = MERGE_SUM,
  HEALTH_unmeasured_executions = MERGE_SUM,
  HEALTH_shrunk_reservoirs = MERGE_SUM,
  HEALTH_failed_threads = MERGE_SUM,
  HEALTH_checkpoints = MERGE_SUM,
  HEALTH_failed_checkpoints = MERGE_SUM,
  HEALTH_checkpoint_time_s = MERGE_MAX,
  HEALTH_memory_bytes = MERGE_SUM,
  HEALTH_ended_by = MERGE_ENDED,
  HEALTH_sideline = MERGE_MIN, // 1 only if it ran everywhere
};

static const enum merge_rule env_rules[] = {
#define RETICLE_FILE_ENV(kind, name, unit, doc) (enum merge_rule) ENV_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule object_rules[] = {
#define RETICLE_FILE_OBJECT(kind, name, unit, doc) (enum merge_rule) OBJECT_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule module_rules[] = {
#define RETICLE_FILE_MODULE(kind, name, unit, doc) (enum merge_rule) MODULE_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule loop_rules[] = {
#define RETICLE_FILE_LOOP(kind, name, unit, doc) (enum merge_rule) LOOP_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule struct_rules[] = {
#define RETICLE_FILE_STRUCT(kind, name, unit, doc) (enum merge_rule) STRUCT_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule member_rules[] = {
#define RETICLE_FILE_MEMBER(kind, name, unit, doc) (enum merge_rule) MEMBER_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule access_rules[] = {
#define RETICLE_FILE_ACCESS(kind, name, unit, doc) (enum merge_rule) ACCESS_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule fieldunit_rules[] = {
#define RETICLE_FILE_FIELDUNIT(kind, name, unit, doc) (enum merge_rule) FIELDUNIT_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule block_rules[] = {
#define RETICLE_FILE_BLOCK(kind, name, unit, doc) (enum merge_rule) BLOCK_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule topdown_rules[] = {
#define RETICLE_FILE_TOPDOWN(kind, name, unit, doc) (enum merge_rule) TOPDOWN_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule epoch_rules[] = {
#define RETICLE_FILE_EPOCH(kind, name, unit, doc) (enum merge_rule) EPOCH_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule sampling_rules[] = {
#define RETICLE_FILE_SAMPLING(kind, name, unit, doc) (enum merge_rule) SAMPLING_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule count_rules[] = {
#define RETICLE_FILE_COUNT(kind, name, unit, doc) (enum merge_rule) COUNT_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule loadfile_rules[] = {
#define RETICLE_FILE_LOADFILE(kind, name, unit, doc) (enum merge_rule) LOADFILE_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule address_rules[] = {
#define RETICLE_FILE_ADDRESS(kind, name, unit, doc) (enum merge_rule) ADDRESS_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule shadow_rules[] = {
#define RETICLE_FILE_SHADOW(kind, name, unit, doc) (enum merge_rule) SHADOW_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule site_rules[] = {
#define RETICLE_FILE_SITE(kind, name, unit, doc) (enum merge_rule) SITE_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule siteframe_rules[] = {
#define RETICLE_FILE_SITEFRAME(kind, name, unit, doc) (enum merge_rule) SITEFRAME_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule siteword_rules[] = {
#define RETICLE_FILE_SITEWORD(kind, name, unit, doc) (enum merge_rule) SITEWORD_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule shadowunit_rules[] = {
#define RETICLE_FILE_SHADOWUNIT(kind, name, unit, doc) (enum merge_rule) SHADOWUNIT_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule sharedline_rules[] = {
#define RETICLE_FILE_SHAREDLINE(kind, name, unit, doc) (enum merge_rule) SHAREDLINE_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule pointer_rules[] = {
#define RETICLE_FILE_POINTER(kind, name, unit, doc) (enum merge_rule) POINTER_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule trial_rules[] = {
#define RETICLE_FILE_TRIAL(kind, name, unit, doc) (enum merge_rule) TRIAL_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule trialloop_rules[] = {
#define RETICLE_FILE_TRIALLOOP(kind, name, unit, doc) (enum merge_rule) TRIALLOOP_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule process_rules[] = {
#define RETICLE_FILE_PROCESS(kind, name, unit, doc) (enum merge_rule) PROCESS_##name,
#include "include/reticle/abi.def"
};
static const enum merge_rule health_rules[] = {
#define RETICLE_FILE_HEALTH(kind, name, unit, doc) (enum merge_rule) HEALTH_##name,
#include "include/reticle/abi.def"
};

const enum merge_rule *merge_rules(enum profile_chunk chunk) {
  switch (chunk) {
  case PROFILE_ENV:
    return env_rules;
  case PROFILE_OBJECTS:
    return object_rules;
  case PROFILE_MODULES:
    return module_rules;
  case PROFILE_LOOPS:
    return loop_rules;
  case PROFILE_STRUCTS:
    return struct_rules;
  case PROFILE_MEMBERS:
    return member_rules;
  case PROFILE_ACCESSES:
    return access_rules;
  case PROFILE_FIELDUNITS:
    return fieldunit_rules;
  case PROFILE_COUNTS:
    return count_rules;
  case PROFILE_BLOCKS:
    return block_rules;
  case PROFILE_TOPDOWN:
    return topdown_rules;
  case PROFILE_EPOCHS:
    return epoch_rules;
  case PROFILE_SAMPLING:
    return sampling_rules;
  case PROFILE_LOADFILES:
    return loadfile_rules;
  case PROFILE_ADDRESSES:
    return address_rules;
  case PROFILE_SHADOW:
    return shadow_rules;
  case PROFILE_SITES:
    return site_rules;
  case PROFILE_SITEFRAMES:
    return siteframe_rules;
  case PROFILE_SITEWORDS:
    return siteword_rules;
  case PROFILE_SHADOWUNITS:
    return shadowunit_rules;
  case PROFILE_SHAREDLINES:
    return sharedline_rules;
  case PROFILE_POINTERS:
    return pointer_rules;
  case PROFILE_TRIALS:
    return trial_rules;
  case PROFILE_TRIALLOOPS:
    return trialloop_rules;
  case PROFILE_PROCESSES:
    return process_rules;
  case PROFILE_HEALTH:
    return health_rules;
  case PROFILE_HIST:
  case PROFILE_SAMPLES:
  case PROFILE_CHAIN:
  case PROFILE_CHUNKS:
    break; // merged by hand
  }
  __builtin_unreachable();
}
