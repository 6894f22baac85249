// block_job.c - blocks to measure: the list, hexadecimal digits, what decoding tells in advance.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/block/block_job.h"

#include "tools/binary/code/decode.h"
#include "tools/support/memory.h"
#include "tools/support/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void block_jobs_release(struct block_jobs *jobs) {
  for (size_t i = 0; i < jobs->count; i++) {
    free(jobs->items[i].name);
    free(jobs->items[i].hex);
    free(jobs->items[i].problem);
    free(jobs->items[i].code);
    free(jobs->items[i].module);
  }
  free(jobs->items);
  *jobs = (struct block_jobs){0};
}

static struct block_job *add(struct block_jobs *jobs) {
  if (jobs->count == jobs->capacity) {
    jobs->capacity = jobs->capacity ? 2 * jobs->capacity : 64;
    jobs->items = memory_resized(jobs->items, jobs->capacity, sizeof(*jobs->items));
  }
  struct block_job *job = &jobs->items[jobs->count++];
  *job = (struct block_job){0};
  return job;
}

static uint8_t *copy_bytes(const uint8_t *from, size_t bytes) {
  uint8_t *to = memory_resized(NULL, bytes + 1, 1);
  memcpy(to, from, bytes);
  return to;
}

struct block_job *block_jobs_add(struct block_jobs *jobs, const char *name, const uint8_t *code,
                                 size_t bytes, uint64_t address) {
  struct block_job *job = add(jobs);
  struct text hex = {0};
  for (size_t i = 0; i < bytes; i++)
    text_printf(&hex, "%02x", code[i]);
  job->hex = text_copy(text_get(&hex));
  job->name = text_copy(name ? name : job->hex);
  job->code = copy_bytes(code, bytes);
  job->bytes = bytes;
  job->address = address;
  text_release(&hex);
  return job;
}

static unsigned digit(char c) {
  return (unsigned)(isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10);
}

struct block_job *block_jobs_add_hex(struct block_jobs *jobs, const char *hex, size_t line) {
  struct block_job *job = add(jobs);
  size_t length = strlen(hex), good = strspn(hex, "0123456789abcdefABCDEF");
  struct text problem = {0};
  job->hex = text_copy(hex);
  job->name = text_copy(hex);
  job->line = line;
  if (!length)
    text_add(&problem, "empty; two hexadecimal digits a byte are needed");
  else if (good < length)
    text_printf(&problem, "character %zu is no hexadecimal digit", good + 1);
  else if (length % 2)
    text_printf(&problem, "%zu digits, an odd number; a byte has two", length);
  if (problem.length) {
    job->problem = text_copy(text_get(&problem));
    job->is_broken = true;
    text_release(&problem);
    return job;
  }
  job->bytes = length / 2;
  job->code = copy_bytes((const uint8_t *)hex, job->bytes);
  for (size_t i = 0; i < job->bytes; i++)
    job->code[i] = (uint8_t)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
  return job;
}

void block_job_refuse(struct block_job *job, enum harness_status status, const char *problem) {
  free(job->problem);
  job->problem = text_copy(problem);
  job->status = status;
}

/// What an instruction does that a block may not; null if nothing.
static const char *objection(const struct instruction *instruction, enum harness_status *status) {
  *status = HARNESS_CONTROL_FLOW;
  switch ((enum instruction_kind)instruction->kind) {
  case INSTRUCTION_JUMP:
  case INSTRUCTION_JUMP_AWAY:
  case INSTRUCTION_BRANCH:
    return "a jump; leave it out, or measure the block in front of it alone";
  case INSTRUCTION_CALL:
  case INSTRUCTION_CALL_AWAY:
    return "the block calls a function";
  case INSTRUCTION_RETURN:
    return "a return; leave it out";
  case INSTRUCTION_SYSTEM_CALL:
    *status = HARNESS_SYSTEM_CALL;
    return "makes a system call";
  case INSTRUCTION_TRAP: // the processor says which
  case INSTRUCTION_PLAIN:
    break;
  }
  return NULL;
}

/// Whether bytes are missing behind the block to make an instruction of its end.
static bool is_cut_short(const struct block_job *job, size_t at) {
  uint8_t longer[2 * DECODE_MAX_BYTES] = {0};
  struct instruction instruction;
  size_t rest = job->bytes - at;
  if (rest >= DECODE_MAX_BYTES)
    return false;
  memcpy(longer, job->code + at, rest);
  return decode_instruction(longer, sizeof(longer), 0, &instruction) && instruction.bytes > rest;
}

size_t block_job_check(struct block_job *job) {
  size_t count = 0;
  struct text problem = {0};
  for (size_t at = 0; at < job->bytes && !problem.length; count++) {
    struct instruction instruction;
    enum harness_status status = HARNESS_ILLEGAL;
    if (!decode_instruction(job->code + at, job->bytes - at, job->address + at, &instruction)) {
      if (is_cut_short(job, at)) {
        text_printf(&problem, "at byte %zu: the instruction is cut short", at);
        block_job_refuse(job, status, text_get(&problem));
      }
      // Else the decoder may not know it: the processor has the last word.
      text_release(&problem);
      return 0;
    }
    const char *what = objection(&instruction, &status);
    if (what) {
      text_printf(&problem, "at byte %zu: %s", at, what);
      block_job_refuse(job, status, text_get(&problem));
    }
    at += instruction.bytes;
  }
  text_release(&problem);
  return count;
}

bool block_job_is_relative(const struct block_job *job) {
  struct instruction instruction;
  for (size_t at = 0; at < job->bytes; at += instruction.bytes) {
    if (!decode_instruction(job->code + at, job->bytes - at, job->address + at, &instruction))
      return false;
    for (size_t i = 0; i < instruction.memory_count; i++)
      if (instruction.memory[i].base == REGISTER_RIP)
        return true;
  }
  return false;
}

const char *block_job_not_captured(const struct block_job *job) {
  struct instruction instruction;
  for (size_t at = 0; at < job->bytes; at += instruction.bytes) {
    if (!decode_instruction(job->code + at, job->bytes - at, job->address + at, &instruction))
      return NULL;
    for (size_t i = 0; i < instruction.memory_count; i++)
      if (instruction.memory[i].base == REGISTER_RIP && instruction.memory[i].read)
        return "reads data relative to its code: it finds zeros, not the program's";
    if (instruction.x87_or_mmx)
      return "uses x87 or MMX registers: they are empty, not the program's";
    if (instruction.mask)
      return "uses mask registers: they are all ones, not the program's";
  }
  return NULL;
}

int block_job_free_register(const struct block_job *job) {
  // Only the upper eight are never used without being named.
  for (int reg = 15; reg >= 8; reg--) {
    bool named = false;
    char name[8], line[256];
    snprintf(name, sizeof(name), "r%d", reg);
    for (size_t at = 0; at < job->bytes && !named;) {
      size_t length = decode_text(job->code + at, job->bytes - at, 0, line, sizeof(line));
      named = !length || strstr(line, name);
      at += length ? length : 1;
    }
    if (!named)
      return reg;
  }
  return -1;
}

size_t block_job_text(const struct block_job *job, size_t at, uint64_t address, char *out,
                      size_t bytes) {
  return decode_text(job->code + at, job->bytes - at, address + at, out, bytes);
}
