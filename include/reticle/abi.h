// abi.h - C structs, constants and entry points of the contract between pass, runtime and tools.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Glossary
//   unit        an emitted function with probes
//   object      an object file compiled with the plug-in
//   module      an executable or shared library
//   cell        a thread's countdown for one loop: executions until the next cold call
//   cold call   a call from a gate into the runtime
//   sample      one timed execution of a loop
//   weight      executions a sample stands for
//   tick        one step of the timer's count; step: the smallest difference the timer shows
#ifndef RETICLE_ABI_H
#define RETICLE_ABI_H

#include <stddef.h>
#include <stdint.h>

#define RETICLE_VERSION "0.1.0"

/// Version of the RETICLE_MEM_* records and of the entry points below. Part of a symbol's name.
#define RETICLE_ABI_VERSION 7u
/// Only the matching runtime defines it, every module refers to it: a missing or foreign runtime
/// is a link error whose symbol says what to do.
#define RETICLE_ABI_SYMBOL __reticle_abi_v7__link_with_reticle_clang_or_libreticle_rt
#define RETICLE_ABI_SYMBOL_NAME "__reticle_abi_v7__link_with_reticle_clang_or_libreticle_rt"

/// Work of an execution that nobody counted.
#define RETICLE_WORK_UNKNOWN UINT64_MAX

#ifdef __cplusplus
#define RETICLE_STATIC_ASSERT static_assert
extern "C" {
#else
#define RETICLE_STATIC_ASSERT _Static_assert
#endif

enum reticle_work_class {
  RETICLE_WORK_CLASS_F = 1, ///< fixed: one path, no calls, trip count known on entry
  RETICLE_WORK_CLASS_P = 2, ///< paths: several paths or a data-dependent exit, no calls
  RETICLE_WORK_CLASS_C = 3, ///< calls, inner loops or unknown: work not controlled
};

enum reticle_loop_flags {
  RETICLE_LOOP_HAS_TRIP_COUNT = 1 << 0, ///< a sample's work is its trip count
  RETICLE_LOOP_INNERMOST = 1 << 1,
  RETICLE_LOOP_HAS_CALLS = 1 << 2,
  RETICLE_LOOP_REGION = 1 << 3,   ///< no loop but a region begun and ended by hand (reticle.h)
  RETICLE_LOOP_ONE_PATH = 1 << 4, ///< every iteration but the last runs the same blocks
  /// An execution is an iteration of the loop whose record lies in front, and around it.
  RETICLE_LOOP_ITERATION = 1 << 5,
  RETICLE_LOOP_OUTERS =
      1 << 6, ///< merged of copies in several loops: which one is around isn't known
  /// From here on four bits: enum reticle_loop_vector.
  RETICLE_LOOP_VECTOR_SHIFT = 7,
  RETICLE_LOOP_VECTOR_MASK = 15,
  /// From here on the lowest 16 bits of the id of the nearest loop around it that has probes, in
  /// the same function; 0: none, or not known (older object files).
  RETICLE_LOOP_OUTER_SHIFT = 16,
};

/// Of an innermost loop: what LLVM's vectoriser made of it, or why it made nothing.
enum reticle_loop_vector {
  RETICLE_VECTOR_UNKNOWN = 0,     ///< it didn't run, or said nothing
  RETICLE_VECTOR_DONE = 1,        ///< it takes several iterations at once
  RETICLE_VECTOR_FLOAT_ORDER = 2, ///< floating-point operations would be done in another order
  RETICLE_VECTOR_ALIAS = 3,       ///< what a pointer leads to may be written through another one
  RETICLE_VECTOR_DEPENDENCE = 4,  ///< an iteration may read what an earlier one has written
  RETICLE_VECTOR_COUNT = 5,       ///< how often it iterates isn't known when it begins
  RETICLE_VECTOR_CONTROL = 6,     ///< its branches can't be made into selects
  RETICLE_VECTOR_CALL = 7,    ///< it calls mathematical functions, which take one value at a time
  RETICLE_VECTOR_CARRIED = 8, ///< each iteration needs the one before, and is no sum
  RETICLE_VECTOR_STORE = 9,   ///< it writes to one place each time, or under a condition
  RETICLE_VECTOR_COST = 10,   ///< it could, and LLVM's cost model says that it wouldn't pay
  RETICLE_VECTOR_SIZE = 11,   ///< it would need more code, which -Os and -Oz forbid
  RETICLE_VECTOR_LOADED = 12, ///< it reads or writes at addresses that it has loaded
  RETICLE_VECTOR_OTHER = 15,
};

enum reticle_unit_flags {
  /// The unit's cells lie in the thread's cell table (code that may end up in a shared library);
  /// otherwise they are thread-local variables of the object file.
  RETICLE_UNIT_CELLS_IN_TABLE = 1 << 0,
};

enum reticle_struct_flags {
  RETICLE_STRUCT_UNION = 1 << 0,
  RETICLE_STRUCT_CXX = 1 << 1,
  RETICLE_STRUCT_SYSTEM = 1 << 2,      ///< defined in a system header
  RETICLE_STRUCT_UNDESCRIBED = 1 << 3, ///< the compiler handed over no declaration: no field names
  RETICLE_STRUCT_PACKED = 1 << 4,      ///< packed, or under a pragma: alignments aren't the types'
  // How its layout can be seen outside of its own fields' accesses.
  RETICLE_STRUCT_OFFSETOF = 1 << 5,   ///< offsetof of one of its fields
  RETICLE_STRUCT_POSITIONAL = 1 << 6, ///< initialised, or taken apart, by position
  RETICLE_STRUCT_BYTES = 1 << 7,    ///< handed to a call as bytes: fwrite, read, memcpy, memcmp ...
  RETICLE_STRUCT_IN_UNION = 1 << 8, ///< a field of a union
  RETICLE_STRUCT_EXTERN_C = 1 << 9, ///< C++: inside extern "C"
  RETICLE_STRUCT_COMPARED = 1 << 10, ///< C++: a defaulted comparison goes by the fields' order
};

enum reticle_member_flags {
  RETICLE_MEMBER_ARRAY = 1 << 0,    ///< accesses to all elements are counted as one field
  RETICLE_MEMBER_UNION = 1 << 1,    ///< several fields that share their bytes
  RETICLE_MEMBER_BITFIELD = 1 << 2, ///< counted with the bytes it lies in
  RETICLE_MEMBER_BASE = 1 << 3,     ///< a base class's part
  RETICLE_MEMBER_VPTR = 1 << 4,
  RETICLE_MEMBER_CONTINUES =
      1 << 5, ///< of the same declaration as the one before (anonymous struct)
  /// At the end, and objects may have more of it than its type says: T x[], x[0], x[1], or a
  /// struct, union or base class that ends so.
  RETICLE_MEMBER_FLEXIBLE = 1 << 6,
  RETICLE_MEMBER_STRUCT = 1 << 7, ///< of a C program: a struct, also where a typedef names it
};
/// Bits 8 to 15 of a member's flags: the logarithm of its declaration's alignment in bytes, plus 1;
/// 0: not known.
#define RETICLE_MEMBER_ALIGN_SHIFT 8
#define RETICLE_MEMBER_ALIGN_MASK 0xffu
/// The same for a struct's flags, in bits 16 to 23.
#define RETICLE_STRUCT_ALIGN_SHIFT 16

/// What the source says of memory that a call gives.
enum reticle_allocation_flags {
  RETICLE_ALLOCATION_ONE = 1 << 0,      ///< the size is sizeof(type)
  RETICLE_ALLOCATION_ARRAY = 1 << 1,    ///< a multiple of it
  RETICLE_ALLOCATION_MORE = 1 << 2,     ///< it, and other things
  RETICLE_ALLOCATION_RETURNED = 1 << 3, ///< the function returns it: where no type is known the
                                        ///< call of this function may say it
  RETICLE_ALLOCATION_SEVERAL = 1 << 4,  ///< several types, at different times or together
  RETICLE_ALLOCATION_BYTES = 1 << 5,    ///< converted to char *, and nothing else
};

/// Which types allocations are for, feature shadow: a section that isn't loaded, of lines of text.
/// Each object file's part begins with the first line; the fields of a line are separated by tabs,
/// numbers are decimal:
///
///   reticle-types  1
///   S  size_bytes  line  name  file                 a struct: 0, 1, ... in its part
///   M  offset_bytes  size_bytes  name               a field of the struct above
///   A  line  column  flags  struct  size_bytes  type  function  file
///                                                   a call; struct: "-" if it is none
///   G  line  flags  struct  size_bytes  type  name  file        a global variable
#define RETICLE_TYPES_SECTION ".reticle_types"
#define RETICLE_TYPES_HEAD "reticle-types\t1"

enum reticle_access_flags {
  RETICLE_ACCESS_READ = 1 << 0,
  RETICLE_ACCESS_WRITE = 1 << 1, ///< an atomic update has both
  RETICLE_ACCESS_ATOMIC = 1 << 2,
  RETICLE_ACCESS_VECTOR = 1 << 3, ///< the vectoriser put several into one
  RETICLE_ACCESS_OUTER = 1 << 4,  ///< counted for a struct inside this one, too
  // How the innermost loop comes to its address; none of them: not known.
  RETICLE_ACCESS_STREAMING = 1 << 5,   ///< it grows by a constant
  RETICLE_ACCESS_INDEPENDENT = 1 << 6, ///< no access of an earlier iteration decides about it
  RETICLE_ACCESS_DEPENDENT = 1 << 7,   ///< one does: p = p->next
  RETICLE_ACCESS_SAME = 1 << 8,        ///< it is the same in each iteration
  /// Part of a copy or clearing (memcpy, memset, assignment of a struct); where its length is known
  /// at run time only, it counts as one struct, or as the field's rest.
  RETICLE_ACCESS_COPY = 1 << 9,
  /// A fifth way to come to the address: what was read decides where in an array is read next.
  RETICLE_ACCESS_SEARCH = 1 << 10,
  RETICLE_ACCESS_INTEGER = 1 << 11, ///< of a touch: an integer; the runtime notes values read
};

enum reticle_fields_flags {
  /// Counters are addressed through the segment register that holds the thread's distance (x86-64
  /// code for executables); otherwise the function adds the distance from the module's word.
  RETICLE_FIELDS_BY_SEGMENT = 1 << 0,
  RETICLE_FIELDS_STRUCTS = 1 << 1, ///< accesses to fields are counted; else blocks alone
};

enum reticle_count_flags {
  RETICLE_COUNT_SHARED = 1 << 0, ///< threads shared one set of counters: may be too low
};

enum reticle_fieldunit_flags {
  RETICLE_FIELDUNIT_SHARED = 1 << 0, ///< threads shared one set of counters: counts may be too low
};

enum reticle_timer_flags {
  RETICLE_TIMER_INVARIANT = 1 << 0,   ///< the counter runs at one rate in every state
  RETICLE_TIMER_SERIALIZING = 1 << 1, ///< the barrier is dispatch-serialising
  RETICLE_TIMER_SCRIPTED = 1 << 2,    ///< a test advances the clock
  RETICLE_TIMER_CORE = 1 << 3,        ///< the core's own clock may be read by an instruction
  RETICLE_TIMER_BURST = 1 << 4,       ///< option burst: means of RETICLE_BURST_READS readings
  RETICLE_TIMER_BURST_IDLE = 1 << 5,  ///< and the step is too fine for that to show more
};

/// Readings of a burst; their mean moves by so small a part of the timer's step.
#define RETICLE_BURST_READS 4

enum reticle_sample_flags {
  RETICLE_SAMPLE_MIGRATED = 1 << 0, ///< ended on another CPU; long samples alone are kept then
  RETICLE_SAMPLE_COLD = 1 << 1,     ///< a chain, with what it runs fetched from wherever it was
  /// Of a loop: its work is the sum of the tags inside of it (RETICLE_TAG).
  RETICLE_SAMPLE_TAGGED = RETICLE_SAMPLE_COLD,
  /// Up to its end the thread had met no denormal operand (SSE and AVX: MXCSR.DE was clear).
  RETICLE_SAMPLE_NO_DENORMALS = 1 << 2,
  RETICLE_SAMPLE_DENORMALS = 1 << 3, ///< up to its end the thread had met one, in it or before
  /// Of a chain, which has no denormals: it ran beside the program, in a thread of the runtime's.
  RETICLE_SAMPLE_BESIDE = RETICLE_SAMPLE_DENORMALS,
};

enum reticle_topdown_flags {
  RETICLE_TOPDOWN_FAKE = 1 << 0, ///< a file told what the counters count (option pmu=fake:FILE)
};

/// How samples of the program counter are taken.
enum reticle_sampling_engine {
  RETICLE_SAMPLING_PERF = 1,  ///< the kernel's CPU clock events, for each CPU a ring
  RETICLE_SAMPLING_TIMER = 2, ///< a timer for each thread and a signal: where perf is denied
  RETICLE_SAMPLING_NONE = 3,  ///< neither could be used
};

/// Why the outermost frame of a stack in chunk "stacks" isn't in any load file.
enum reticle_stack_end {
  RETICLE_STACK_LOST = 0, ///< what was there as the return address is no address of code
  RETICLE_STACK_CUT = 1,  ///< there are more frames than are noted
};

/// Whether touched memory is marked.
enum reticle_shadow_state {
  RETICLE_SHADOW_ON = 1,
  RETICLE_SHADOW_OFF = 2,        ///< option shadow=0
  RETICLE_SHADOW_NO_PLANE = 3,   ///< the shadow memory couldn't be mapped: the error says why
  RETICLE_SHADOW_NO_SAMPLER = 4, ///< marks, but the kernel doesn't tell which pages have some
};

/// A duty of it: the program marks touched memory all the time. Permille.
#define RETICLE_DUTY_FULL 1000
/// Heap objects of so many bytes are each looked at; of smaller ones perhaps one in so many.
#define RETICLE_DRAW_BYTES 1024

/// Whether allocations are attributed to their call stacks.
enum reticle_sites_state {
  RETICLE_SITES_ON = 1,
  RETICLE_SITES_OTHER_ALLOCATOR = 2, ///< malloc isn't glibc's: its headers aren't known
  RETICLE_SITES_NONE = 3,            ///< no allocation came by: a static program, or its own malloc
};

enum reticle_site_kind {
  RETICLE_SITE_HEAP = 1,
  RETICLE_SITE_GLOBAL = 2,
  RETICLE_SITE_MMAP = 3,
};

enum reticle_shadow_unit_flags {
  RETICLE_SHADOW_UNIT_DETAIL = 1 << 0, ///< shadow=detail: reads and writes are told apart
};

/// Register number in chunk "pointers" of the record that counts all samples at an instruction.
#define RETICLE_POINTER_ALL 16u

enum reticle_trial_clock {
  RETICLE_TRIAL_CPU = 1, ///< CPU time of the process
  RETICLE_TRIAL_WALL = 2,
};

enum reticle_trial_proof {
  RETICLE_TRIAL_MEASURED = 0, ///< the program was built and ran with both layouts
  RETICLE_TRIAL_REPLAYED = 1, ///< its visits ran over memory of both layouts
};

enum reticle_trial_verdict {
  RETICLE_TRIAL_GAIN = 1,
  RETICLE_TRIAL_WORSE = 2,
  RETICLE_TRIAL_NONE = 3, ///< no measurable gain
};

enum reticle_ended_by {
  RETICLE_ENDED_RUNNING = 0, ///< a checkpoint: the process ran on, or was killed after it
  RETICLE_ENDED_EXIT = 1,    ///< exit or return from main
  RETICLE_ENDED__EXIT = 2,   ///< _exit, _Exit, quick_exit
  RETICLE_ENDED_ABORT = 3,   ///< abort
  RETICLE_ENDED_EXEC = 4,    ///< replaced itself by another program
  RETICLE_ENDED_EPOCH = 5,   ///< the epoch was closed; the process ran on
};

/// The what-if (-fplugin-arg-reticle-layout) of an object file.
struct reticle_layout_desc {
  uint64_t hash;         ///< of the layout file; its low 32 bits are the short hash, never 0
  const char *structure; ///< the struct's name
  uint64_t applied;      ///< 1 if the object has the struct, else 0
};

// struct reticle_<record>_desc, in memory.
#define RETICLE_MEM_U64 uint64_t
#define RETICLE_MEM_U32 uint32_t
#define RETICLE_MEM_STR const char *
#define RETICLE_MEM_PTR const void *
#define RETICLE_MEM_REL int64_t
#define RETICLE_MEM_BEGIN(record, Name) struct reticle_##record##_desc {
#define RETICLE_MEM_FIELD(record, kind, name, unit, doc) RETICLE_MEM_##kind name;
#define RETICLE_MEM_END(record)                                                                    \
  }                                                                                                \
  ;
// struct reticle_file_<record>, in the file.
#define RETICLE_FILE_U64 uint64_t
#define RETICLE_FILE_U32 uint32_t
#define RETICLE_FILE_STR uint32_t
#define RETICLE_FILE_BEGIN(record) struct reticle_file_##record {
#define RETICLE_FILE_FIELD(record, kind, name, merge, unit, doc) RETICLE_FILE_##kind name;
#define RETICLE_FILE_END(record)                                                                   \
  }                                                                                                \
  ;
#include "include/reticle/abi.def"

/// What a field of kind REL leads to.
static inline const void *reticle_related(const int64_t *field) {
  return (const char *)field + *field;
}

// When one of these fires, raise RETICLE_ABI_VERSION (and the version in the symbol's name).
RETICLE_STATIC_ASSERT(sizeof(struct reticle_loop_desc) == 64, "bump RETICLE_ABI_VERSION");
RETICLE_STATIC_ASSERT(sizeof(struct reticle_unit_desc) == 32, "bump RETICLE_ABI_VERSION");
RETICLE_STATIC_ASSERT(sizeof(struct reticle_object_desc) == 72, "bump RETICLE_ABI_VERSION");
RETICLE_STATIC_ASSERT(sizeof(struct reticle_module_desc) == 32, "bump RETICLE_ABI_VERSION");
RETICLE_STATIC_ASSERT(sizeof(struct reticle_struct_desc) == 40, "bump RETICLE_ABI_VERSION");
RETICLE_STATIC_ASSERT(sizeof(struct reticle_member_desc) == 28, "bump RETICLE_ABI_VERSION");
RETICLE_STATIC_ASSERT(sizeof(struct reticle_access_desc) == 56, "bump RETICLE_ABI_VERSION");
RETICLE_STATIC_ASSERT(sizeof(struct reticle_fields_desc) == 88, "bump RETICLE_ABI_VERSION");
RETICLE_STATIC_ASSERT(sizeof(struct reticle_label_desc) == 16, "bump RETICLE_ABI_VERSION");
RETICLE_STATIC_ASSERT(sizeof(struct reticle_field_module_desc) == 40, "bump RETICLE_ABI_VERSION");
RETICLE_STATIC_ASSERT(sizeof(struct reticle_global_desc) == 40, "bump RETICLE_ABI_VERSION");
RETICLE_STATIC_ASSERT(sizeof(struct reticle_shadow_desc) == 40, "bump RETICLE_ABI_VERSION");
RETICLE_STATIC_ASSERT(sizeof(struct reticle_shadow_module_desc) == 40, "bump RETICLE_ABI_VERSION");
RETICLE_STATIC_ASSERT(sizeof(struct reticle_touch_desc) == 32, "bump RETICLE_ABI_VERSION");
RETICLE_STATIC_ASSERT(sizeof(struct reticle_visit_desc) == 48, "bump RETICLE_ABI_VERSION");
RETICLE_STATIC_ASSERT(sizeof(struct reticle_bound_desc) == 120, "bump RETICLE_ABI_VERSION");

// --- the profile file --------------------------------------------------------------------------
//
//   0                  struct reticle_file_header
//   header.table       struct reticle_file_chunk [chunk_count]
//   chunk.offset       records of the chunk, 8-byte aligned, no pointers
//   ...
// All integers are little-endian. Unknown chunks are skipped; a chunk whose record_size is larger
// than this version's is read by stride, a smaller one is refused.

#define RETICLE_FILE_MAGIC "RETICLE\x1a"
#define RETICLE_FILE_VERSION 1u
#define RETICLE_FILE_ENDIAN 0x01020304u
#define RETICLE_CHUNK_NAME_BYTES 16

struct reticle_file_header {
  char magic[8];
  uint32_t version;
  uint32_t endian;
  uint64_t file_bytes;     ///< whole file
  uint64_t table_offset;   ///< bytes from the start of the file
  uint64_t table_checksum; ///< reticle_checksum of the table
  uint32_t chunk_count;
  uint32_t chunk_bytes; ///< sizeof(struct reticle_file_chunk), larger is read by stride
};
struct reticle_file_chunk {
  char name[RETICLE_CHUNK_NAME_BYTES]; ///< zero-padded
  uint64_t offset;                     ///< bytes from the start of the file
  uint64_t bytes;                      ///< record_bytes * count
  uint64_t count;                      ///< records
  uint64_t checksum;                   ///< reticle_checksum of the bytes
  uint32_t record_bytes;
  uint32_t reserved;
};
RETICLE_STATIC_ASSERT(sizeof(struct reticle_file_header) == 48, "bump RETICLE_FILE_VERSION");
RETICLE_STATIC_ASSERT(sizeof(struct reticle_file_chunk) == 56, "bump RETICLE_FILE_VERSION");

/// Checksum of `bytes` bytes: FNV-1a over 64-bit little-endian words, the last one zero-padded,
/// then the length. Start with RETICLE_CHECKSUM_START; parts may be chained only when every part
/// but the last is a multiple of 8 bytes; finish with reticle_checksum_end.
#define RETICLE_CHECKSUM_START UINT64_C(0xcbf29ce484222325)
static inline uint64_t reticle_checksum_add(uint64_t sum, const void *data, size_t bytes) {
  const unsigned char *p = (const unsigned char *)data;
  while (bytes) {
    size_t n = bytes < 8 ? bytes : 8;
    uint64_t word = 0;
    if (n == 8)
      __builtin_memcpy(&word, p, 8);
    else
      for (size_t i = 0; i < n; i++)
        word |= (uint64_t)p[i] << (8 * i);
    sum = (sum ^ word) * UINT64_C(0x100000001b3);
    sum ^= sum >> 29;
    p += n;
    bytes -= n;
  }
  return sum;
}
static inline uint64_t reticle_checksum_end(uint64_t sum, uint64_t bytes) {
  return (sum ^ bytes) * UINT64_C(0x100000001b3);
}

// --- entry points the compiler emits calls to ----------------------------------------------------

/// Registers a module's descriptors; called by its constructor, before any of its own code where
/// the linker's order allows. Idempotent for one module.
void __reticle_module_start(const struct reticle_module_desc *module);
/// The module is about to be unloaded (dlclose) or the process ends.
void __reticle_module_stop(const struct reticle_module_desc *module);

/// Bits of reticle_site.number beside the loop's number in its unit. COUNTS: work is an induction
/// variable's value, its start at the gate and its last value at the exit; the trip count is their
/// difference, modulo 2^work_bits, by work_step. LACKS_LAST: plus 1. On x86-64 alone, FAR: of a
/// call whose unit may be anywhere; FRAME: the frame was pushed, too.
#define RETICLE_SITE_FAR (UINT64_C(1) << 31)
#define RETICLE_SITE_COUNTS (UINT64_C(1) << 30)
#define RETICLE_SITE_LACKS_LAST (UINT64_C(1) << 29)
#define RETICLE_SITE_FRAME (UINT64_C(1) << 28)
#define RETICLE_SITE_NUMBER (RETICLE_SITE_FRAME - 1)

/// What a gate or an exit hands over. x86-64: on the stack, below 128 bytes of red zone, its
/// address being that of the return address plus 8. AArch64: at the stack pointer, 80 bytes below
/// the frame; x16, x17 and x30 behind it are the caller's to restore.
struct reticle_site {
  int32_t *cell;
  uint64_t cells_offset_bytes;           ///< the unit's
  const struct reticle_loop_desc *loops; ///< the unit's
  uint64_t number;                       ///< of the loop in its unit; at exits also RETICLE_SITE_*
  uint64_t work;     ///< trip count or RETICLE_WORK_UNKNOWN; else as RETICLE_SITE_COUNTS says
  const void *frame; ///< AArch64: null, or the frame address where the stack pointer moves (alloca)
};
RETICLE_STATIC_ASSERT(sizeof(struct reticle_site) == 48, "entry_*.S have its offsets");
RETICLE_STATIC_ASSERT(offsetof(struct reticle_site, frame) == 40, "entry_*.S have its offsets");

/// The cell went below 0 at a loop's gate. Sets the cell for the coming executions and may open a
/// sample. Async-signal-safe.
///
/// begin and end follow no calling convention of C: the argument is a struct reticle_site, and
/// every register but the flags keeps its value. They are assembly that saves the general registers
/// and calls C code compiled without vector registers.
void __reticle_loop_begin(void);
/// The cell is below 0 at an exit of the loop: closes its sample if this frame opened it.
void __reticle_loop_end(void);

/// A thread's cell table, for units with RETICLE_UNIT_CELLS_IN_TABLE: the unit's cells start
/// cells_offset_bytes behind it. Never null: before the thread is known it points to a table that
/// is shared, and whose cells are always below 0. Initial-exec TLS.
extern __thread char *__reticle_cells;

/// As __reticle_module_start and _stop, for the counters of the feature field.
void __reticle_fields_start(struct reticle_field_module_desc *module);
void __reticle_fields_stop(struct reticle_field_module_desc *module);

/// What a function hands over whose thread isn't known yet; on the stack as struct reticle_site.
struct reticle_field_site {
  /// The module's thread-local word: 0 until the thread is known, then the distance in bytes from
  /// the module's counters to the thread's copy of them.
  uint64_t *word;
  struct reticle_field_module_desc *module;
};

/// The module's word is 0 at the entry of a function. Gives the thread its copy of the counters.
/// Called as __reticle_loop_begin is. Async-signal-safe.
void __reticle_field_enter(void);

/// What programs may ask for: include/reticle.h.
long reticle_shadow_samples(void);
int reticle_report(void);
void reticle_tag(unsigned long value);

/// See RETICLE_ABI_SYMBOL.
extern const char RETICLE_ABI_SYMBOL;

#ifdef __cplusplus
}
#endif
// Need the descriptors above.
#include "include/reticle/bound.h"
#include "include/reticle/shadow.h"

#endif
