// study_page.h - the first page of a study: what it found is worth, and how it was measured.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef RETICLE_TOOLS_RENDER_TEXT_REPORT_STUDY_PAGE_H
#define RETICLE_TOOLS_RENDER_TEXT_REPORT_STUDY_PAGE_H

#include "tools/model/finding/finding.h"
#include "tools/model/study/study_view.h"
#include "tools/ui/terminal.h"

/// Adds the lines above the findings: time, worth, builds.
void study_page_head_add(const struct measurement *m, const struct study_view *view,
                         const struct findings *findings, const struct terminal *terminal,
                         struct text *out);

/// Adds warnings where builds print different things, fail, or run at another speed.
void study_page_doubts_add(const struct study_view *view, const struct terminal *terminal,
                           struct text *out);

/// Adds the lines below them: what was looked for and not found, and what isn't known.
void study_page_tail_add(const struct measurement *m, const struct findings *findings,
                         const struct terminal *terminal, struct text *out);

/// The same, each in one line.
void study_page_tail_brief_add(const struct measurement *m, const struct findings *findings,
                               const struct terminal *terminal, struct text *out);

#endif
