// unit_fuzz_block_map.c - runs the fuzz target on object files, cut and damaged in many ways.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit.h"

#include <dirent.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t state;

static uint64_t next_random(void) {
  state ^= state << 13; // xorshift64
  state ^= state >> 7;
  return state ^= state << 17;
}

static void run_damaged(const uint8_t *data, size_t bytes) {
  uint8_t *copy = unit_need(malloc(bytes));
  LLVMFuzzerTestOneInput(data, bytes);
  for (size_t cut = 0; cut < bytes; cut += 1 + bytes / 64)
    LLVMFuzzerTestOneInput(data, cut);
  for (int i = 0; i < 400; i++) {
    memcpy(copy, data, bytes);
    for (uint64_t n = 1 + next_random() % 4; n; n--)
      copy[next_random() % bytes] = (uint8_t)(next_random() % 3 ? next_random() : 0xff);
    LLVMFuzzerTestOneInput(copy, bytes);
  }
  free(copy);
}

static void test_corpus(void) {
  static const char directory[] = RETICLE_TEST_DIR "/corpus_blocks";
  DIR *list = opendir(directory);
  int files = 0;
  state = 0x5eed;
  for (struct dirent *entry; list && (entry = readdir(list));) {
    char path[4096];
    uint8_t data[1 << 15];
    snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
    FILE *file = entry->d_name[0] == '.' ? NULL : fopen(path, "rb");
    size_t bytes = file ? fread(data, 1, sizeof data, file) : 0;
    if (file)
      fclose(file);
    if (bytes) {
      run_damaged(data, bytes);
      files++;
    }
  }
  if (list)
    closedir(list);
  CHECK(files >= 3);
}

int main(void) {
  RUN(test_corpus);
  return unit_status();
}
