// machine.c - the timing floor that the tools have cached for this machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/machine.h"

#include "runtime/probe/timer.h"
#include "runtime/session/text.h"
#include "runtime/sys/sys.h"

// --- cached floor -------------------------------------------------------------------------------

// Written by the tool `reticle`: lines key=value.
static int read_floor_line(const char *line, const char *key, uint64_t *out) {
  size_t n = 0;
  while (key[n] && line[n] == key[n])
    n++;
  return !key[n] && line[n] == '=' && rrt_parse_number(line + n + 1, out);
}

int rrt_machine_floor(const struct rrt_cpu *cpu, const char *folder, struct reticle_file_env *out) {
  char key[600], path[4096], content[2048];
  struct rrt_text text;
  rrt_text_init(&text, key, sizeof key);
  rrt_text_add(&text, cpu->model);
  rrt_text_add(&text, "\n");
  rrt_text_add(&text, cpu->hypervisor);
  rrt_text_add(&text, "\n");
  rrt_text_add(&text, cpu->clock_source);
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
