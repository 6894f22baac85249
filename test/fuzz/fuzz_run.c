// fuzz_run.c - runs a command in this process and checks what must hold of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A command that ends the process, for want of memory alone, comes back by longjmp: the linker
// takes exit for __wrap_exit.
#define _GNU_SOURCE // memfd_create
#include "test/fuzz/fuzz.h"
#include "tools/cmd/commands.h"
#include "tools/ui/json.h"

#include <jansson.h>
#include <math.h>
#include <sanitizer/allocator_interface.h>
#include <sanitizer/common_interface_defs.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

/// The limits of one command. Sanitizers make it several times as slow and hungry as users see it.
enum { SECONDS_MOST = 10, MEGABYTES_MOST = 1024 };

const struct command *const commands[] = {&command_report,
                                          &command_show,
                                          &command_annotate,
                                          &command_diff,
                                          &command_layout,
                                          &command_block,
                                          &command_doctor,
                                          &command_gates,
                                          &command_ranks,
                                          &command_dump,
                                          &command_merge,
                                          &command_export,
                                          NULL};

static int report_fd = STDERR_FILENO;
static const struct fuzz_command *running;
static jmp_buf back;
static int exit_status;
static struct fuzz_bytes out_map, err_map;
static size_t heap_bytes;
static bool any_character;

void fuzz_say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vdprintf(report_fd, format, arguments);
  va_end(arguments);
}

static void say_command(void) {
  if (!running)
    return;
  fuzz_say("fuzz: command: reticle");
  for (int i = 0; i < running->argc; i++)
    fuzz_say(" '%s'", running->argv[i]);
  fuzz_say("\n");
}

_Noreturn void fuzz_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fuzz_say("fuzz: FINDING: ");
  vdprintf(report_fd, format, arguments);
  fuzz_say("\n");
  va_end(arguments);
  say_command();
  _exit(99);
}

static void too_long(int signal) {
  (void)signal;
  fuzz_say("fuzz: FINDING: takes more than %d s\n", SECONDS_MOST);
  say_command();
  __sanitizer_print_stack_trace();
  _exit(99);
}

static void on_malloc(const volatile void *place, size_t bytes) {
  (void)place;
  heap_bytes += bytes;
  if (running && heap_bytes > (size_t)MEGABYTES_MOST << 20) {
    const struct fuzz_command *command = running;
    running = NULL;
    fuzz_say("fuzz: FINDING: takes more than %d MB\n", MEGABYTES_MOST);
    running = command;
    say_command();
    __sanitizer_print_stack_trace();
    _exit(99);
  }
}

static void on_free(const volatile void *place) {
  size_t bytes = place ? __sanitizer_get_allocated_size((const void *)place) : 0;
  heap_bytes = heap_bytes > bytes ? heap_bytes - bytes : 0;
}

_Noreturn void __real_exit(int status);
_Noreturn void __wrap_exit(int status);
_Noreturn void __wrap_exit(int status) {
  if (!running)
    __real_exit(status);
  if (status == EXIT_UNREADABLE) {
    // The one who ends the process wants memory: no input may take so much.
    fuzz_say("fuzz: FINDING: wants more memory than there may be\n");
    say_command();
    __sanitizer_print_stack_trace();
    _exit(99);
  }
  exit_status = status;
  longjmp(back, 1);
}

static void redirect(int fd, const char *name) {
  int memory = memfd_create(name, MFD_CLOEXEC);
  if (memory < 0 || dup2(memory, fd) < 0)
    fuzz_fail("no memory file for output");
  close(memory);
}

void fuzz_run_prepare(bool any) {
  any_character = any;
  report_fd = dup(STDERR_FILENO);
  __sanitizer_set_report_fd((void *)(intptr_t)report_fd);
  __sanitizer_set_death_callback(say_command);
  __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
  redirect(STDOUT_FILENO, "out");
  redirect(STDERR_FILENO, "err");
  signal(SIGVTALRM, too_long);
}

static void empty(int fd) {
  if (ftruncate(fd, 0) < 0 || lseek(fd, 0, SEEK_SET) < 0)
    fuzz_fail("output can't be emptied");
}

/// What was written there; [count] and a zero.
static void take(int fd, struct fuzz_bytes *bytes) {
  off_t end = lseek(fd, 0, SEEK_END);
  free(bytes->data);
  bytes->data = malloc((size_t)end + 1);
  bytes->count = (size_t)end;
  if (!bytes->data || pread(fd, bytes->data, bytes->count, 0) != (ssize_t)end)
    fuzz_fail("output can't be read");
  bytes->data[bytes->count] = 0;
}

/// Length of the UTF-8 sequence at the start, 0 for none; *point gets what it stands for.
static size_t sequence(const unsigned char *at, size_t left, uint32_t *point) {
  size_t n = *at < 0x80                  ? 1
             : *at >= 0xc2 && *at < 0xe0 ? 2
             : *at >= 0xe0 && *at < 0xf0 ? 3
             : *at >= 0xf0 && *at < 0xf5 ? 4
                                         : 0;
  if (!n || n > left)
    return 0;
  *point = n == 1 ? *at : *at & (0x7fu >> n);
  for (size_t i = 1; i < n; i++) {
    if ((at[i] & 0xc0) != 0x80)
      return 0;
    *point = *point << 6 | (at[i] & 0x3f);
  }
  bool is_long = (n == 3 && *point < 0x800) || (n == 4 && *point < 0x10000);
  return is_long || (*point >= 0xd800 && *point < 0xe000) || *point > 0x10ffff ? 0 : n;
}

static bool is_control(uint32_t point) {
  return (point < ' ' && point != '\n') || (point >= 0x7f && point < 0xa0) || point == 0x61c ||
         point == 0x200e || point == 0x200f || (point >= 0x2028 && point <= 0x202e) ||
         (point >= 0x2066 && point <= 0x2069);
}

static void check_text(const struct fuzz_bytes *bytes, const char *where) {
  for (size_t at = 0; at < bytes->count && !any_character;) {
    uint32_t point = 0;
    size_t n = sequence(bytes->data + at, bytes->count - at, &point);
    if (!n || is_control(point)) {
      size_t from = at > 60 ? at - 60 : 0;
      fuzz_say("fuzz: ... %.*s\n", (int)(at - from), (const char *)bytes->data + from);
      fuzz_fail("%s: byte %zu is %s 0x%x", where, at, n ? "control character" : "no UTF-8",
                n ? point : bytes->data[at]);
    }
    at += n;
  }
}

static void check_json(const struct fuzz_bytes *bytes) {
  json_error_t error;
  json_t *value =
      json_loadb((const char *)bytes->data, bytes->count, JSON_REJECT_DUPLICATES, &error);
  if (!value)
    fuzz_fail("JSON: %s at byte %d: %.80s", error.text, error.position, (const char *)bytes->data);
  json_decref(value);
}

void __real_json_put_number(struct json *object, const char *key, double number);
void __wrap_json_put_number(struct json *object, const char *key, double number);
void __wrap_json_put_number(struct json *object, const char *key, double number) {
  if (!isfinite(number))
    fuzz_fail("JSON: \"%s\" is %g, and would be a null that its schema doesn't have", key, number);
  __real_json_put_number(object, key, number);
}

static int call(const struct fuzz_command *line) {
  char *argv[FUZZ_ARGUMENTS_MOST + 1];
  memcpy(argv, line->argv, sizeof argv); // options_parse sorts them
  const struct command *command = commands_find(line->argv[0]);
  if (!command)
    fuzz_fail("no command %s", line->argv[0]);
  if (setjmp(back))
    return exit_status;
  return command->run(command, line->argc, argv);
}

void fuzz_run(const struct fuzz_command *command, struct fuzz_outcome *outcome) {
  static const struct itimerval limit = {.it_value = {SECONDS_MOST, 0}}, none;
  empty(STDOUT_FILENO);
  empty(STDERR_FILENO);
  if (command->written)
    unlink(command->written);
  heap_bytes = 0;
  running = command;
  setitimer(ITIMER_VIRTUAL, &limit, NULL);
  outcome->status = call(command);
  setitimer(ITIMER_VIRTUAL, &none, NULL);
  fflush(stdout);
  fflush(stderr);
  take(STDOUT_FILENO, &out_map);
  take(STDERR_FILENO, &err_map);
  outcome->out = out_map;
  outcome->err = err_map;
  if (outcome->status < 0 || outcome->status > 3)
    fuzz_fail("exit status %d", outcome->status);
  if (outcome->status == 2 && !outcome->err.count)
    fuzz_fail("exit status 2 without a message");
  // A report says itself why it has nothing of what was asked for.
  if (outcome->status == 3 && !outcome->err.count && !outcome->out.count)
    fuzz_fail("exit status 3 without a message");
  check_text(&outcome->out, "stdout");
  check_text(&outcome->err, "stderr");
  if (command->is_json && outcome->status < 2)
    check_json(&outcome->out);
  if (command->written && !command->is_binary && outcome->status == 0) {
    struct fuzz_bytes written = fuzz_read(command->written);
    check_text(&written, command->written);
    free(written.data);
  }
  running = NULL;
}
