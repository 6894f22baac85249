// kept_profile.c - reads and writes a profile where it is kept.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/store/kept_profile.h"

#include "tools/support/problem.h"

#include <stdlib.h>

static bool open_in_study(struct kept_profile *kept) {
  if (!study_file_write(kept->path, &kept->study, kept->problems))
    return false;
  struct statement *s = database_prepare(
      kept->study.database,
      "SELECT p.deflated, p.bytes, p.id FROM profiles p JOIN runs r ON r.id=p.run JOIN builds b ON "
      "b.id=r.build WHERE b.name='timing' ORDER BY r.round, p.cpu_s DESC, p.id LIMIT 1");
  bool has = statement_step(s);
  bool fine = has && study_profile_read(&kept->study, s, kept->path, &kept->profile);
  if (fine)
    kept->id = (int64_t)statement_get_count(s, 2);
  else if (!has && study_file_is_fine(&kept->study))
    problem_error(kept->problems, "%s: no run of the build 'timing' in it", kept->path);
  statement_finish(s);
  return fine;
}

bool kept_profile_open(const char *path, struct kept_profile *out, struct problems *problems) {
  *out = (struct kept_profile){.path = path, .problems = problems, .study = {.lock = -1}};
  if (study_file_is(path))
    return open_in_study(out);
  struct profile_error error;
  if (profile_read(path, &out->profile, &error) == 0)
    return true;
  problem_error(problems, "%s", error.text);
  return false;
}

bool kept_profile_write(struct kept_profile *kept) {
  struct profile_error error;
  unsigned char *bytes = NULL;
  size_t count;
  int failed = kept->id ? profile_encode(&kept->profile, kept->path, &bytes, &count, &error)
                        : profile_write(&kept->profile, kept->path, &error);
  bool fine = !failed;
  if (failed)
    problem_error(kept->problems, "%s", error.text);
  else if (kept->id)
    fine = study_file_begin(&kept->study) &&
           study_profile_set(&kept->study, kept->id, bytes, count) &&
           study_file_commit(&kept->study);
  free(bytes);
  return fine;
}

void kept_profile_close(struct kept_profile *kept) {
  profile_release(&kept->profile);
  if (kept->study.database)
    study_file_close(&kept->study);
}
