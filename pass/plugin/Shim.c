// Shim.c - the file users name in -fplugin=: loads the plug-in for the compiler's LLVM.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   PREFIX/lib/reticle/reticle.so                     this
//   PREFIX/lib/reticle/plugins/ReticlePass-<N>.so     one for each LLVM major
//   PREFIX/lib/reticle/plugins/ReticlePassOpt-<N>.so  the same without clang's symbols: for flang
//
// No LLVM symbols, so it loads everywhere; where no plug-in fits, two lines say what was found and
// what to install, and the compile fails: going on would give a program without probes.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

/// llvm::PassPluginLibraryInfo as of plug-in API 1 (three pointers) and 2 (four). The caller knows
/// its own size; it never is larger than this.
struct pass_plugin_info {
  uint32_t api_version;
  const char *name;
  const char *version;
  void (*register_callbacks)(void *pass_builder);
  void *pre_code_gen;
};

typedef void get_version(unsigned *major, unsigned *minor, unsigned *patch);
typedef struct pass_plugin_info get_info(void);
/// What -fpass-plugin= and -load-pass-plugin look up.
get_info llvmGetPassPluginInfo;

/// The loaded plug-in's function of the same name.
static get_info *plugin_info;

static unsigned major_in_name(const char *path) {
  static const char *const stems[] = {"llvm-", "clang-"};
  for (size_t i = 0; i < sizeof(stems) / sizeof(stems[0]); i++) {
    const char *found = strstr(path, stems[i]);
    if (found)
      return (unsigned)strtoul(found + strlen(stems[i]), NULL, 10);
  }
  return 0;
}

static unsigned host_major(const char *host) {
  // The union turns an object pointer into a function pointer without a warning.
  union {
    void *address;
    get_version *call;
  } version = {dlsym(RTLD_DEFAULT, "LLVMGetVersion")};
  unsigned major = 0, minor, patch;
  if (version.address)
    version.call(&major, &minor, &patch);
  return major ? major : major_in_name(host);
}

/// Writes "19, 22" into text.
static void list_plugins(const char *directory, char *text, size_t bytes) {
  struct dirent *entry;
  size_t used = 0;
  text[0] = '\0';
  DIR *stream = opendir(directory);
  while (stream && (entry = readdir(stream))) {
    unsigned major;
    if (used < bytes && sscanf(entry->d_name, "ReticlePass-%u.so", &major) == 1)
      used += (size_t)snprintf(text + used, bytes - used, "%s%u", used ? ", " : "", major);
  }
  if (stream)
    closedir(stream);
  if (!text[0])
    snprintf(text, bytes, "none");
}

static _Noreturn void refuse(const char *found, const char *directory, const char *fix) {
  char installed[256];
  list_plugins(directory, installed, sizeof(installed));
  fprintf(stderr, "reticle: error: %s\nreticle: plug-ins installed for LLVM: %s; %s\n", found,
          installed, fix);
  _exit(1);
}

/// Probes are inline assembly, which flang has no parser for unless asked: "Inline asm not
/// supported by this streamer".
static void initialise_assemblers(void) {
  static const char *const names[] = {"LLVMInitializeX86AsmParser",
                                      "LLVMInitializeAArch64AsmParser"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    union {
      void *address;
      void (*call)(void);
    } initialise = {dlsym(RTLD_DEFAULT, names[i])};
    if (initialise.address)
      initialise.call();
  }
}

static void load(const char *directory, const char *host) {
  char path[PATH_MAX + 64], found[2 * PATH_MAX + 256], fix[256];
  unsigned major = host_major(host);
  const char *program = strrchr(host, '/');
  program = program ? program + 1 : host;

  if (!strncmp(program, "cc1", 3) || !strncmp(program, "lto1", 4)) {
    snprintf(found, sizeof(found), "this is a clang plug-in, but the compiler is gcc (%s)", host);
    refuse(found, directory, "compile with reticle-clang, or clang of that version");
  }
  bool is_flang = !strncmp(program, "flang", strlen("flang"));
  if (is_flang)
    initialise_assemblers();
  snprintf(path, sizeof(path), "%s/%s-%u.so", directory,
           is_flang ? "ReticlePassOpt" : "ReticlePass", major);
  if (access(path, R_OK)) {
    snprintf(found, sizeof(found), "no plug-in for LLVM %u, the compiler's (%s)", major, host);
    snprintf(fix, sizeof(fix),
             "use clang of that version, or build Reticle with packages llvm-%u-dev and "
             "libclang-%u-dev and -DRETICLE_LLVM_MAJORS=%u",
             major, major, major);
    refuse(found, directory, fix);
  }
  void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!plugin) {
    snprintf(found, sizeof(found), "the plug-in does not load: %s", dlerror());
    refuse(found, directory, "use the distribution's clang (it exports LLVM's symbols)");
  }
  union {
    void *address;
    get_info *call;
  } info = {dlsym(plugin, "llvmGetPassPluginInfo")};
  plugin_info = info.call;
}

__attribute__((constructor)) static void start(void) {
  char host[PATH_MAX], self[PATH_MAX], directory[PATH_MAX + 16];
  Dl_info info;
  ssize_t bytes = readlink("/proc/self/exe", host, sizeof(host) - 1);
  host[bytes > 0 ? bytes : 0] = '\0';
  union {
    void (*call)(void);
    void *address;
  } here = {start};
  if (!dladdr(here.address, &info) || !realpath(info.dli_fname, self))
    snprintf(self, sizeof(self), "./reticle.so");
  *strrchr(self, '/') = '\0';
  snprintf(directory, sizeof(directory), "%s/plugins", self);
  load(directory, host);
}

EXPORTED struct pass_plugin_info llvmGetPassPluginInfo(void) { return plugin_info(); }
