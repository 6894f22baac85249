// check_forms.h - the verdict of a check in the forms that CI servers read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each writes to the stream and returns false if it took not all of it. `here` is the current
// directory: files below it are named relative to it.
#ifndef RETICLE_TOOLS_EXPORT_CHECK_FORMS_H
#define RETICLE_TOOLS_EXPORT_CHECK_FORMS_H

#include "tools/model/compare/check_result.h"

#include <stdio.h>

/// Workflow commands of GitHub Actions: a line for each regression (error) and what is inconclusive
/// (warning), shown at the loop's line.
bool check_github_write(const struct check_result *result, const char *here, FILE *stream);
/// The table for the step summary, in Markdown.
bool check_markdown_write(const struct check_result *result, const char *here, FILE *stream);
/// SARIF 2.1.0: a result for each regression and what is inconclusive; fingerprint: the stable id.
bool check_sarif_write(const struct check_result *result, const char *here, FILE *stream);
/// JUnit XML: a test case for each loop; a regression failed, what is inconclusive was skipped.
bool check_junit_write(const struct check_result *result, const char *here, FILE *stream);
/// GitLab's Code Quality: an array of regressions and what is inconclusive.
bool check_quality_write(const struct check_result *result, const char *here, FILE *stream);

#endif
