// page_delays.c - why a loop's executions were slow: causes, the slowest, loops inside.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/analysis/loop/child_variance.h"
#include "tools/model/loop/loop_delay.h"
#include "tools/render/html/html.h"
#include "tools/render/html/page_parts.h"
#include "tools/render/html/svg.h"
#include "tools/support/units.h"

#include <stdio.h>

/// Smaller shares have no part of the bar.
#define SHOWN_LEAST 0.005

static void add_causes(const struct slow_causes *causes, struct text *out) {
  static const char *const classes[] = {"c1", "c2", "c3", "c4", "c5"};
  const size_t class_count = sizeof classes / sizeof *classes;
  struct svg_part parts[SLOW_CAUSES];
  struct text words = {0};
  size_t count = 0;
  for (size_t i = 0; i < SLOW_CAUSES; i++) {
    enum slow_cause cause = causes->order[i];
    const struct quantity *share = &causes->share[cause];
    if (share->status != QUANTITY_OK || share->value < SHOWN_LEAST)
      continue;
    const char *class = cause == SLOW_UNEXPLAINED ? "track" : classes[count % class_count];
    parts[count++] =
        (struct svg_part){.label = slow_cause_words(cause), .class = class, .share = share->value};
  }
  text_add(out, "<h3>Why slow executions were slow</h3>\n");
  svg_stack(out, parts, count, "parts of what slow executions lost");
  loop_delay_add_shares(causes, &words);
  text_add(out, "<p>");
  html_text(out, text_get(&words));
  text_add(out, " of the lost time (95 % intervals)</p>\n");
  text_release(&words);
}

static void add_slowest(const struct slow_causes *causes, struct text *out) {
  text_add(out,
           "<table><caption>The slowest executions</caption><thead><tr><th scope=\"col\">began"
           "</th><th scope=\"col\">took</th><th scope=\"col\">of it</th></tr></thead><tbody>\n");
  for (size_t i = 0; i < causes->slowest_count; i++) {
    const struct profile_fact *fact = causes->slowest[i];
    struct text words = {0};
    text_add(out, "<tr><td>");
    loop_delay_add_time(fact->at_ns, out);
    text_format(out, "</td><td>%s</td><td>", units_duration((double)fact->duration_ns).data);
    loop_delay_add_facts(fact, &words);
    html_text(out, text_get(&words));
    text_add(out, "</td></tr>\n");
    text_release(&words);
  }
  text_add(out, "</tbody></table>\n");
}

static void add_children(const struct measurement *m, const struct measured_loop *loop,
                         struct text *out) {
  struct child_variance children[CHILD_VARIANCE_MOST];
  size_t count = child_variance_of(&m->input.profile, loop->loop, children);
  for (size_t i = 0; i < count; i++) {
    const struct measured_loop *child = measurement_of(m, children[i].loop);
    struct text name = {0};
    char id[24];
    snprintf(id, sizeof id, "L%zu", child->rank);
    text_add(out, i ? ", " : "<p>The variance of its durations goes with loops inside: ");
    page_link(m, id, out);
    measurement_add_name(child, &name);
    html_printf(out, " %s %.0f %% (%.0f to %.0f)", text_get(&name), 100 * children[i].share.value,
                100 * children[i].share.low, 100 * children[i].share.high);
    text_release(&name);
  }
  if (count)
    text_add(out, "</p>\n");
}

void page_delays_add(const struct measurement *m, const struct measured_loop *loop,
                     struct text *out) {
  const struct slow_causes *causes = slow_causes_get(m, loop);
  struct text words = {0};
  add_children(m, loop, out);
  if (!causes->gap)
    add_causes(causes, out);
  loop_delay_add_period(causes, &words);
  if (words.length) {
    text_add(out, "<p>Slow executions come ");
    html_text(out, text_get(&words));
    text_add(out, "</p>\n");
  }
  if (causes->executions && causes->slowest_count)
    add_slowest(causes, out);
  text_release(&words);
}
