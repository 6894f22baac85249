// machine.c - the timing floor cached for this machine, and the modules that are mapped.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/machine.h"

#include "runtime/probe/clock/timer.h"
#include "runtime/session/registry.h"
#include "runtime/support/maps.h"
#include "runtime/support/strings.h"
#include "runtime/support/text.h"
#include "runtime/sys/sys.h"

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

// --- modules that are mapped ---------------------------------------------------------------------

// All mappings of a file lie together; the first has offset 0.
static void add_mapping(struct reticle_file_module *out, uint32_t *count, uint32_t max,
                        const struct rrt_mapping *m) {
  if (m->path[0] != '/')
    return;
  if (*count && rrt_equal(rrt_strings_data() + out[*count - 1].path, m->path)) {
    out[*count - 1].instrumented |= (uint32_t)rrt_registry_covers(m->low, m->high);
    if (out[*count - 1].instrumented)
      out[*count - 1].layout = rrt_registry_layout();
    return;
  }
  if (m->offset != 0 || *count == max)
    return;
  struct reticle_file_module *f = &out[*count];
  rrt_zero(f, sizeof *f);
  if (rrt_maps_identify(m, &f->load_address, &f->build_id) < 0)
    return; // a data file
  f->path = rrt_strings_add(m->path);
  f->instrumented = (uint32_t)rrt_registry_covers(m->low, m->high);
  f->layout = f->instrumented ? rrt_registry_layout() : 0;
  ++*count;
}

struct modules {
  struct reticle_file_module *out; // [max]
  uint32_t count, max;
};

static int visit_module(const struct rrt_mapping *m, void *context) {
  struct modules *modules = context;
  add_mapping(modules->out, &modules->count, modules->max, m);
  return 0;
}

uint32_t rrt_machine_modules(struct reticle_file_module *out, uint32_t max) {
  struct modules modules = {out, 0, max};
  rrt_maps_visit(visit_module, &modules);
  return modules.count;
}
