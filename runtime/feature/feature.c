// feature.c - the list of features, and what they say together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/feature/feature.h"

#define ADDRESS(word) &rrt_feature_##word,
const struct rrt_feature *const rrt_features[] = {RRT_FEATURE_LIST(ADDRESS) NULL};

int rrt_features_open(void) {
  int r = 0;
  RRT_FEATURES_WITH(f, open)
  if (!r)
    r = (*f)->open();
  return r;
}

int rrt_features_wake(uint64_t *due_ns) {
  int wake = 0;
  *due_ns = UINT64_MAX;
  RRT_FEATURES_WITH(f, wakes) {
    uint64_t due = UINT64_MAX;
    wake |= (*f)->wakes(&due);
    *due_ns = due < *due_ns ? due : *due_ns;
  }
  return wake;
}

uint64_t rrt_features_news(void) {
  uint64_t most = 0;
  RRT_FEATURES_WITH(f, news) {
    uint64_t news = (*f)->news();
    most = news > most ? news : most;
  }
  return most;
}

uint64_t rrt_features_gather(void) {
  uint64_t most = 0;
  RRT_FEATURES_WITH(f, gather) {
    uint64_t records = (*f)->gather();
    most = records > most ? records : most;
  }
  return most;
}

uint64_t rrt_features_count(void) {
  uint64_t sum = 0;
  RRT_FEATURES_WITH(f, count)
  sum += (*f)->count();
  return sum;
}

uint64_t rrt_features_bytes(void) {
  uint64_t sum = 0;
  RRT_FEATURES_WITH(f, bytes)
  sum += (*f)->bytes();
  return sum;
}

int rrt_features_move(void) {
  RRT_FEATURES_WITH(f, moves)
  if ((*f)->moves())
    return 1;
  return 0;
}

int rrt_features_any(void) {
  RRT_FEATURES_WITH(f, any)
  if ((*f)->any())
    return 1;
  return 0;
}

int rrt_features_epoch_count(uint64_t *count) {
  RRT_FEATURES_WITH(f, epoch_count)
  if ((*f)->epoch_count(count))
    return 1;
  return 0;
}
