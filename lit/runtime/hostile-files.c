// What stands at out= or log_path= and isn't ours stays as it is, whatever it is; the profile is beside it, and is ours alone.
// REQUIRES: plugin, runtime, tool
// RUN: rm -rf %t && mkdir -p %t && cd %t
// RUN: %reticle_cc -O2 -g %s -o app
// RUN: %python %S/Inputs/hostile.py %reticle > said || (cat said; false)
// RUN: %FileCheck %s < said
// CHECK: nothing there: out.prof 600
// CHECK-NEXT: empty file: out.prof 600
// CHECK-NEXT: link to a file: out.prof.PID 600: is a symbolic link and stays as it is; the profile is out.prof.PID; set option out= to a new file
// CHECK-NEXT: link to nothing: out.prof.PID 600: is a symbolic link
// CHECK-NEXT: links at all names: out.prof.PID-2 600: is a symbolic link
// CHECK-NEXT: hard link to a text: out.prof.PID 600: is no profile
// CHECK-NEXT: hard link to a profile: out.prof.PID 600: is a file with other names, too (hard links),
// CHECK-NEXT: text: out.prof.PID 600: is no profile
// CHECK-NEXT: folder: out.prof.PID 600: is a folder
// CHECK-NEXT: folder with a slash: out.prof.PID 600: is a folder
// CHECK-NEXT: device: out.prof.PID 600: is a device
// CHECK-NEXT: cut profile: out.prof.PID 600: is no profile
// CHECK-NEXT: checkpoints through a link at .part: out.prof 600
// CHECK-NEXT: log at our own link: own 600
// CHECK-NEXT: log at a hard link: no log: log_path log can't be used (a file with other names, too): messages go to stderr; name a file of yours
// CHECK-NEXT: log new: log 600
// Folders are made. Where the profile can't be, it is under the default name in this folder, else in TMPDIR.
// CHECK-NEXT: no folder: missing/out.prof 600{{$}}
// CHECK-NEXT: no folders: a/b%/0.prof 600{{$}}
// CHECK-NEXT: a file in the place of a folder: reticle.app.PID.prof 600: precious/out.prof: cannot be written (not a folder); the profile is reticle.app.PID.prof; set option out= to a file in a writable folder
// CHECK-NEXT: folder taken away meanwhile: reticle.app.PID.prof 600: sub/out.prof: cannot be written (no such folder); the profile is reticle.app.PID.prof; set option
// CHECK-NEXT: no place for files: reticle.app.PID.prof 600: /proc/self/out.prof: cannot be written ({{.*}}); the profile is reticle.app.PID.prof; set option
// CHECK-NEXT: log on a full disk: no log: log_path /dev/full can't be used (no space left): messages go to stderr; name a file of yours
// CHECK-NEXT: log in no folder: no log: log_path missing/log can't be used (no such folder): messages go to stderr; name a file of yours
// As root alone: files of another user, in a folder that both may write to, and programs of another user.
// CHECK-NEXT: {{another user's file: out.prof.PID 600: is another user's file|not as root}}
// CHECK-NEXT: {{another user's empty file: out.prof.PID 600: is another user's file|not as root}}
// CHECK-NEXT: {{another user's link for the log: no log: log_path log can't be used .a symbolic link of another user|not as root}}
// CHECK-NEXT: {{another user's log: no log: log_path log can't be used .another user's file|not as root}}
// CHECK-NEXT: {{as nobody, a file of root: out.prof.PID 600: is another user's file|not as root}}
// CHECK-NEXT: {{as nobody, in a sticky folder: out.prof.PID 600: is another user's file|not as root}}
// CHECK-NEXT: {{as nobody, no right to write: no profile: out.prof: cannot be written .permission denied.; the profile is .*/tmp/reticle.app.PID.prof; set option|not as root}}
// CHECK-NEXT: {{in TMPDIR: app$|not as root}}
// CHECK-NEXT: {{as nobody, no right to write anywhere: no profile: out.prof: cannot be written .permission denied.; set option|not as root}}
// CHECK-NEXT: {{privileges dropped in a sticky folder: out.prof 600 out.prof.PID 600: is another user's file|not as root}}
#include <string.h>
#include <unistd.h>

volatile int sink;

__attribute__((noinline)) void spin(int n) {
  for (int i = 0; i < n; i++)
    sink = i;
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  if (!strcmp(how, "drop") && setuid(65534) != 0)
    return 1;
  if (!strcmp(how, "gone")) {
    unlink("sub/out.prof");
    rmdir("sub");
    usleep(300000);
  }
  for (int i = 0; i < 1000; i++)
    spin(100);
  return 7;
}
