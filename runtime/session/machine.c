// machine.c - facts about the machine: processor, timer, cached floor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/machine.h"

#include "runtime/probe/timer.h"
#include "runtime/session/text.h"
#include "runtime/sys/sys.h"

#if defined(__x86_64__)

static void cpuid(uint32_t leaf, uint32_t sub, uint32_t out[4]) {
  __asm__ volatile("cpuid"
                   : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3])
                   : "a"(leaf), "c"(sub));
}

static void read_processor(struct rrt_machine *m) {
  uint32_t r[4], brand[13] = {0};
  cpuid(0, 0, r);
  int is_intel = r[1] == 0x756e6547; // "Genu"
  cpuid(0x80000000, 0, r);
  uint32_t highest = r[0];
  if (highest >= 0x80000004)
    for (uint32_t i = 0; i < 3; i++)
      cpuid(0x80000002 + i, 0, &brand[4 * i]);
  const char *name = (const char *)brand;
  while (*name == ' ')
    name++;
  struct rrt_text text;
  rrt_text_init(&text, m->cpu_model, sizeof m->cpu_model);
  rrt_text_add(&text, name);
  while (text.length && text.data[text.length - 1] == ' ')
    text.data[--text.length] = 0;
  if (highest >= 0x80000007) {
    cpuid(0x80000007, 0, r);
    if (r[3] & 1u << 8)
      m->timer_flags |= RETICLE_TIMER_INVARIANT;
  }
  if (is_intel)
    m->timer_flags |= RETICLE_TIMER_SERIALIZING;
  if (highest >= 0x80000021) {
    cpuid(0x80000021, 0, r);
    if (r[0] & 1u << 2)
      m->timer_flags |= RETICLE_TIMER_SERIALIZING;
  }
  cpuid(1, 0, r);
  if (r[2] & 1u << 31) { // a hypervisor is there
    cpuid(0x40000000, 0, r);
    uint32_t signature[4] = {r[1], r[2], r[3], 0};
    rrt_text_init(&text, m->hypervisor, sizeof m->hypervisor);
    rrt_text_add(&text, (const char *)signature);
    if (!text.length)
      rrt_text_add(&text, "unnamed");
  }
}

#else

static void read_processor(struct rrt_machine *m) {
  // The architecture defines the counter as invariant and ISB as a context synchronisation.
  m->timer_flags = RETICLE_TIMER_INVARIANT | RETICLE_TIMER_SERIALIZING;
  rrt_sys_read_file("/sys/devices/system/cpu/cpu0/regs/identification/midr_el1", m->cpu_model,
                    sizeof m->cpu_model);
  rrt_sys_read_file("/sys/hypervisor/type", m->hypervisor, sizeof m->hypervisor);
}

#endif

static void cut_line(char *text) {
  while (*text && *text != '\n')
    text++;
  *text = 0;
}

void rrt_machine_read(struct rrt_machine *m) {
  rrt_zero(m, sizeof *m);
  read_processor(m);
#if defined(RRT_SCRIPTED_CLOCK)
  m->timer_flags = RETICLE_TIMER_INVARIANT | RETICLE_TIMER_SERIALIZING | RETICLE_TIMER_SCRIPTED;
#endif
  rrt_sys_read_file("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                    m->clock_source, sizeof m->clock_source);
  cut_line(m->cpu_model);
  cut_line(m->hypervisor);
  cut_line(m->clock_source);
}

uint64_t rrt_machine_step_ticks(void) {
#if defined(RRT_SCRIPTED_CLOCK)
  return 1;
#else
  uint64_t divisor = 0;
  uint32_t cpu;
  uint64_t last = rrt_timer_read(&cpu);
  for (int i = 0; i < 400; i++) {
    uint64_t now = rrt_timer_read(&cpu);
    uint64_t a = now - last, b = divisor;
    last = now;
    while (b) {
      uint64_t rest = a % b;
      a = b;
      b = rest;
    }
    divisor = a;
  }
  return divisor;
#endif
}

// --- cached floor -------------------------------------------------------------------------------

// Written by the tool `reticle`: lines key=value.
static int read_floor_line(const char *line, const char *key, uint64_t *out) {
  size_t n = 0;
  while (key[n] && line[n] == key[n])
    n++;
  return !key[n] && line[n] == '=' && rrt_parse_number(line + n + 1, out);
}

int rrt_machine_floor(const struct rrt_machine *m, const char *folder,
                      struct reticle_file_env *out) {
  char key[600], path[4096], content[2048];
  struct rrt_text text;
  rrt_text_init(&text, key, sizeof key);
  rrt_text_add(&text, m->cpu_model);
  rrt_text_add(&text, "\n");
  rrt_text_add(&text, m->hypervisor);
  rrt_text_add(&text, "\n");
  rrt_text_add(&text, m->clock_source);
  rrt_text_add(&text, "\n");
  rrt_text_add(&text, RRT_TIMER_NAME);
  uint64_t hash = reticle_checksum_end(
      reticle_checksum_add(RETICLE_CHECKSUM_START, key, text.length), text.length);
  rrt_text_init(&text, path, sizeof path);
  rrt_text_add(&text, folder);
  rrt_text_add(&text, "/reticle/floor-");
  rrt_text_add_hex(&text, hash, 16);
  if (text.cut || rrt_sys_read_file(path, content, sizeof content) <= 0)
    return -1;
  uint64_t t_e = 0, t_min = 0, t_diff = 0, time_s = 0;
  for (const char *p = content; *p;) {
    if (!read_floor_line(p, "t_e_ps", &t_e) && !read_floor_line(p, "t_min_ps", &t_min) &&
        !read_floor_line(p, "t_diff_ps", &t_diff))
      read_floor_line(p, "time_s", &time_s);
    while (*p && *p != '\n')
      p++;
    p += *p == '\n';
  }
  if (!t_min || !t_diff || !time_s)
    return -1;
  out->floor_t_e_ps = t_e;
  out->floor_t_min_ps = t_min;
  out->floor_t_diff_ps = t_diff;
  out->floor_time_s = time_s;
  return 0;
}
