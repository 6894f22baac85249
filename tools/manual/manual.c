// manual.c - writes manual pages and completions of shells, from the tables behind the help.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: reticle_manual SOURCE SHARE
//   SOURCE  the folder with completion.bash and so on
//   SHARE   gets man/man1, man/man7, bash-completion/completions, ... as below PREFIX/share
#include "tools/cmd/commands.h"
#include "tools/manual/complete.h"
#include "tools/manual/page.h"
#include "tools/support/messages.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char mark[] = "@TABLES@\n";

void complete_add_escaped(const char *string, const char *characters, struct text *out) {
  for (; *string; string++) {
    if (strchr(characters, *string))
      text_add(out, "\\");
    text_add_bytes(out, string, 1);
  }
}

static bool fail(const char *path) {
  message_error("%s: %s", path, strerror(errno));
  return false;
}

/// Makes the folders that the file is to lie in.
static void make_folders(const char *path) {
  struct text folder = {0};
  for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    text_clear(&folder);
    text_add_bytes(&folder, path, (size_t)(slash - path));
    mkdir(text_get(&folder), 0777); // if it fails, so does opening the file
  }
  text_release(&folder);
}

/// Writes SHARE/name, and empties the text.
static bool write_file(const char *share, const char *name, struct text *content) {
  struct text path = {0};
  text_format(&path, "%s/%s", share, name);
  make_folders(text_get(&path));
  FILE *file = fopen(text_get(&path), "w");
  bool written = file && fwrite(text_get(content), 1, content->length, file) == content->length;
  written = file && fclose(file) == 0 && written;
  if (!written)
    fail(text_get(&path));
  text_clear(content);
  text_release(&path);
  return written;
}

/// Lets SHARE/name be another name of a file beside it.
static bool write_link(const char *share, const char *name, const char *target) {
  struct text path = {0};
  text_format(&path, "%s/%s", share, name);
  unlink(text_get(&path));
  bool written = symlink(target, text_get(&path)) == 0 || fail(text_get(&path));
  text_release(&path);
  return written;
}

static bool write_pages(const char *share) {
  struct text page = {0}, name = {0};
  bool written = true;
  for (size_t i = 0; commands[i] && written; i++) {
    page_add_command(commands[i], &page);
    text_clear(&name);
    text_format(&name, "man/man1/reticle-%s.1", commands[i]->name);
    written = write_file(share, text_get(&name), &page);
  }
  page_add_reticle(&page);
  written = written && write_file(share, "man/man1/reticle.1", &page);
  page_add_clang(&page);
  written = written && write_file(share, "man/man1/reticle-clang.1", &page);
  written = written && write_link(share, "man/man1/reticle-clang++.1", "reticle-clang.1");
  page_add_flang(&page);
  written = written && write_file(share, "man/man1/reticle-flang.1", &page);
  page_add_options(&page);
  written = written && write_file(share, "man/man7/reticle-options.7", &page);
  text_release(&page);
  text_release(&name);
  return written;
}

/// Writes a completion: the file `template`, with the tables in the place of its mark.
static bool write_completion(const char *source, const char *template,
                             void (*add_tables)(struct text *), const char *share,
                             const char *name) {
  struct text path = {0}, content = {0};
  char line[512];
  text_format(&path, "%s/%s", source, template);
  FILE *file = fopen(text_get(&path), "r");
  bool fine = file || fail(text_get(&path));
  while (file && fgets(line, sizeof(line), file))
    if (strcmp(line, mark) == 0)
      add_tables(&content);
    else
      text_add(&content, line);
  if (file)
    fclose(file);
  fine = fine && write_file(share, name, &content);
  text_release(&content);
  text_release(&path);
  return fine;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    message_error("usage: reticle_manual SOURCE SHARE");
    return EXIT_USAGE;
  }
  const char *source = argv[1], *share = argv[2];
  bool written = write_pages(share) &&
                 write_completion(source, "completion.bash", complete_add_bash, share,
                                  "bash-completion/completions/reticle") &&
                 write_completion(source, "completion.zsh", complete_add_zsh, share,
                                  "zsh/site-functions/_reticle") &&
                 write_completion(source, "completion.fish", complete_add_fish, share,
                                  "fish/vendor_completions.d/reticle.fish");
  return written ? EXIT_FINE : EXIT_UNREADABLE;
}
