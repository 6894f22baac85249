// writer.c - the profile file: what the session knows, and between that the features' chunks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/session/writer.h"

#include "runtime/session/place.h"
#include "runtime/session/registry.h"
#include "runtime/support/chunk.h"
#include "runtime/support/strings.h"

#include <errno.h>

static struct {
  int is_named; // files without a name first can't be made
} state;

static void write_profile(struct rrt_checkpoint *c) {
  uint32_t objects;
  const struct reticle_file_object *object = rrt_registry_objects(&objects);
  rrt_chunk_write("env", &c->env, sizeof c->env, 1);
  rrt_chunk_write("objects", object, sizeof *object, objects);
  rrt_chunk_write("modules", c->modules, sizeof *c->modules, c->module_count);
  RRT_FEATURES_CALL(write, c);
  rrt_chunk_write("health", &c->health, sizeof c->health, 1);
  rrt_chunk_write("strings", rrt_strings_data(), 1, rrt_strings_bytes());
}

static int write_new(char path[RRT_PATH_BYTES], struct rrt_checkpoint *c) {
  struct rrt_place place;
  int r = rrt_place_open(&place, path, state.is_named);
  if (r < 0)
    return r;
  if (place.fd < 0) // /dev/null
    return 0;
  rrt_chunks_begin(place.fd);
  if (c->epoch.closed)
    RRT_FEATURES_CALL(epoch_write, c);
  else
    write_profile(c);
  r = rrt_chunks_end();
  if (r) {
    rrt_place_drop(&place);
    return r;
  }
  return c->epoch.closed ? rrt_place_put_new(&place, path) : rrt_place_put(&place, path, &c->env);
}

int rrt_writer_write(char path[RRT_PATH_BYTES], struct rrt_checkpoint *c) {
  int r = write_new(path, c);
  if (r == -EXDEV && !state.is_named) {
    state.is_named = 1;
    r = write_new(path, c);
  }
  return r;
}
