// block_view.c - finds the machine loops of each loop of the source, in all modules of a profile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/block/block_view.h"

#include "tools/support/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char no_symbol[] =
    "its function has no symbol: the file is stripped, or the linker folded it";

static const char *build_id_in(const struct profile *profile, const char *path) {
  for (size_t i = 0; i < profile->module_count; i++)
    if (strcmp(profile->modules[i].path, path) == 0)
      return profile->modules[i].build_id;
  return "";
}

static void open_module(const struct measurement *m, const char *build_id,
                        struct block_module *module) {
  struct block_map_error error;
  module->map = program_files_blocks(m->files, module->path, build_id, &error);
  if (!module->map) {
    snprintf(module->problem, sizeof(module->problem), "%s: %s", module->path, error.text);
    return;
  }
  const char *then = build_id ? build_id : build_id_in(&m->input.profile, module->path),
             *now = block_map_build_id(module->map);
  if (*then && *now && strcmp(then, now) != 0)
    snprintf(module->problem, sizeof(module->problem),
             "%s was built again since the run; run it again", module->path);
}

static struct block_module *find_module(struct block_views *views, const struct measurement *m,
                                        const char *path) {
  for (size_t i = 0; i < views->module_count; i++)
    if (strcmp(views->modules[i]->path, path) == 0)
      return views->modules[i];
  struct block_module **moved =
      memory_resized(views->modules, (views->module_count + 1), sizeof(struct block_module *));
  struct block_module *module = memory_zeroed(1, sizeof(*module));
  views->modules = moved;
  moved[views->module_count++] = module;
  *module = (struct block_module){.path = path};
  open_module(m, views->build_id, module);
  return module;
}

/// Names the machine loops after the loops of the profile. Of two the one with more time.
static void label_loops(const struct measurement *m, struct block_map *map,
                        struct block_view *view) {
  bool *wanted = memory_zeroed(view->loops.count + 1, sizeof(*wanted));
  view->labels = memory_zeroed(view->loops.count + 1, sizeof(const void *));
  for (size_t i = 0; i < m->loop_count; i++) {
    const struct profile_loop *record = m->loops[i].loop;
    if (strcmp(record->function, view->function.name) != 0 || m->loops[i].region ||
        m->loops[i].is_iteration || !record->executions ||
        !block_loops_of_line(map, &view->list, &view->loops, record->file, record->line,
                             record->depth, wanted))
      continue;
    for (size_t k = 0; k < view->loops.count; k++)
      if (wanted[k] && (!view->labels[k] ||
                        block_view_total_ns(view->labels[k]) < block_view_total_ns(&m->loops[i])))
        view->labels[k] = &m->loops[i];
  }
  free(wanted);
}

static struct block_view *find_view(struct block_module *module, const struct measurement *m,
                                    const struct block_function *function) {
  for (size_t i = 0; i < module->view_count; i++)
    if (module->views[i]->function.address == function->address)
      return module->views[i];
  struct block_list list;
  struct block_map_error error;
  if (!block_map_read(module->map, function, &list, &error))
    return NULL;
  struct block_view **moved =
      realloc(module->views, (module->view_count + 1) * sizeof(struct block_view *));
  struct block_view *view = calloc(1, sizeof(*view));
  if (!moved || !view || !block_loops_find(&list, &view->loops))
    memory_exhausted();
  view->function = *function;
  view->list = list;
  label_loops(m, module->map, view);
  module->views = moved;
  return moved[module->view_count++] = view;
}

double block_view_total_ns(const struct measured_loop *loop) {
  return loop->stats.total_ns.status == QUANTITY_OK ? loop->stats.total_ns.value : 0;
}

bool block_view_is_within(const struct block_view *view, size_t loop,
                          const struct measured_loop *of) {
  for (; loop != BLOCK_LOOP_NONE; loop = view->loops.loops[loop].parent) {
    if (view->labels[loop] == of)
      return true;
    if (view->labels[loop] && block_view_total_ns(view->labels[loop]) > 0)
      return false;
  }
  return false;
}

/// The loop's views in one module; as block_views_find.
static size_t find_views_in(const struct measurement *m, const struct measured_loop *loop,
                            size_t most, struct block_module *module, struct block_view **out,
                            const char **problem) {
  if (*module->problem) {
    *problem = module->problem;
    return 0;
  }
  struct block_function *functions;
  size_t count = block_map_find(module->map, loop->loop->function, &functions), found = 0;
  bool has_lines = false;
  for (size_t i = 0; i < count && found < most; i++) {
    struct block_view *view = functions[i].inlined_by ? NULL : find_view(module, m, &functions[i]);
    bool has_loop = false;
    for (size_t k = 0; view && k < view->list.count; k++)
      has_lines |= view->list.blocks[k].line != 0;
    for (size_t k = 0; view && k < view->loops.count; k++)
      has_loop |= view->labels[k] == loop;
    if (has_loop)
      out[found++] = view;
  }
  free(functions);
  if (!count)
    *problem = no_symbol;
  else if (!has_lines)
    *problem = "its file has no debug information: keep it from being stripped";
  else
    *problem =
        found ? NULL : "no machine loop has code of its line: unrolled, made a call, or moved";
  return found;
}

size_t block_views_find(const struct measurement *m, const struct measured_loop *loop, size_t most,
                        struct block_views *views, struct block_view **out, const char **module,
                        const char **problem) {
  loop = measurement_whole_loop(m, loop); // its code is that of its iterations
  const struct profile_loop *record = loop->loop;
  const struct profile *profile = &m->input.profile;
  *problem = no_symbol;
  if (loop->region)
    *problem = "a region by hand, no loop";
  else if (!record->line || !*record->file)
    *problem = "no debug information: compile with -g";
  if (*problem != no_symbol)
    return 0;
  // Which of the modules, the profile doesn't say.
  for (size_t i = 0; i < profile->module_count; i++) {
    const struct profile_module *module_record = &profile->modules[i];
    if (!module_record->instrumented)
      continue;
    struct block_module *found = find_module(views, m, module_record->path);
    size_t count = find_views_in(m, loop, most, found, out, problem);
    *module = found->path;
    if (*problem != no_symbol)
      return count;
  }
  return 0;
}

const struct block_view *block_views_at(const struct measurement *m, const char *module,
                                        uint64_t address, struct block_views *views) {
  struct block_module *found = find_module(views, m, module);
  struct block_function *functions = NULL;
  char place[32];
  if (*found->problem)
    return NULL;
  snprintf(place, sizeof(place), "0x%" PRIx64, address);
  size_t count = block_map_find(found->map, place, &functions);
  const struct block_view *view =
      count && !functions[0].inlined_by ? find_view(found, m, &functions[0]) : NULL;
  free(functions);
  return view;
}

const struct measured_loop *block_view_loop(const struct block_view *view, size_t block) {
  const struct measured_loop *untimed = NULL;
  for (size_t in = view->loops.innermost[block]; in != BLOCK_LOOP_NONE;
       in = view->loops.loops[in].parent) {
    const struct measured_loop *label = view->labels[in];
    if (label && block_view_total_ns(label) > 0)
      return label;
    untimed = untimed ? untimed : label;
  }
  return untimed;
}

void block_views_release(struct block_views *views) {
  for (size_t i = 0; i < views->module_count; i++) {
    struct block_module *module = views->modules[i];
    for (size_t k = 0; k < module->view_count; k++) {
      block_list_release(&module->views[k]->list);
      block_loops_release(&module->views[k]->loops);
      free(module->views[k]->labels);
      free(module->views[k]);
    }
    free(module->views);
    free(module);
  }
  free(views->modules);
  *views = (struct block_views){0};
}
