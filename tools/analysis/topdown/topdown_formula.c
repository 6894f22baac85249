// topdown_formula.c - reads a formula and evaluates it: sums, products, events, constants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   sum     = product { (+|-) product }
//   product = factor { (*|/) factor }
//   factor  = number | name | "if(" sum "," sum "," sum ")" | "(" sum ")"
//
// What is divided by 0 or not read makes the whole formula so, but for the side that an `if`
// doesn't take.
#include "tools/analysis/topdown/topdown_formula.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// Terms and nodes that a formula names are formulas themselves; a table that goes round ends here.
enum { DEPTH_MOST = 16 };

struct formula {
  const struct topdown_names *names;
  const char *at;
  int depth;
  enum topdown_problem problem;
  const struct topdown_event *missing;
};

static double sum(struct formula *formula);

static double fail(struct formula *formula, enum topdown_problem problem) {
  if (formula->problem == TOPDOWN_FINE)
    formula->problem = problem;
  return NAN;
}

static bool take(struct formula *formula, char c) {
  while (*formula->at == ' ')
    formula->at++;
  if (*formula->at != c)
    return false;
  formula->at++;
  return true;
}

static double inner(struct formula *formula, const char *text) {
  if (formula->depth == DEPTH_MOST)
    return fail(formula, TOPDOWN_NO_FORMULA);
  struct formula part = *formula;
  part.at = text;
  part.depth++;
  double value = sum(&part);
  if (*part.at)
    value = fail(&part, TOPDOWN_NO_FORMULA);
  formula->problem = part.problem;
  formula->missing = part.missing;
  return value;
}

static double event_value(struct formula *formula, size_t event) {
  double rate = formula->names->rates[event];
  if (isnan(rate) && formula->problem == TOPDOWN_FINE) {
    formula->missing = &formula->names->tree->events[event];
    return fail(formula, TOPDOWN_NOT_COUNTED);
  }
  return rate;
}

static double name_value(struct formula *formula, const char *name) {
  const struct topdown_tree *tree = formula->names->tree;
  if (!strcmp(name, "width"))
    return formula->names->width;
  if (!strcmp(name, "has_erratum"))
    return formula->names->has_erratum;
  size_t event = topdown_event_find(tree, name), node = topdown_node_find(tree, name);
  if (event != SIZE_MAX)
    return event_value(formula, event);
  if (node != SIZE_MAX)
    return inner(formula, tree->nodes[node].formula);
  for (size_t i = 0; i < tree->term_count; i++)
    if (!strcmp(tree->terms[i].name, name))
      return inner(formula, tree->terms[i].formula);
  return fail(formula, TOPDOWN_NO_FORMULA);
}

/// One side of an `if`; a problem in it counts only where it is the one taken.
static double side(struct formula *formula, bool is_taken) {
  enum topdown_problem problem = formula->problem;
  const struct topdown_event *missing = formula->missing;
  double value = sum(formula);
  if (!is_taken && formula->problem != TOPDOWN_NO_FORMULA) {
    formula->problem = problem;
    formula->missing = missing;
  }
  return value;
}

static double choice(struct formula *formula) {
  double condition = sum(formula);
  bool ok = take(formula, ',');
  double then = side(formula, condition != 0);
  ok = take(formula, ',') && ok;
  double otherwise = side(formula, condition == 0);
  if (!take(formula, ')') || !ok)
    return fail(formula, TOPDOWN_NO_FORMULA);
  return condition != 0 ? then : otherwise;
}

static double factor(struct formula *formula) {
  char name[48];
  size_t n = 0;
  if (take(formula, '(')) {
    double value = sum(formula);
    return take(formula, ')') ? value : fail(formula, TOPDOWN_NO_FORMULA);
  }
  if (isdigit((unsigned char)*formula->at)) {
    char *end;
    double value = strtod(formula->at, &end);
    formula->at = end;
    return value;
  }
  while ((isalnum((unsigned char)formula->at[n]) || formula->at[n] == '_') && n < sizeof name - 1)
    n++;
  memcpy(name, formula->at, n);
  name[n] = 0;
  formula->at += n;
  if (!strcmp(name, "if") && take(formula, '('))
    return choice(formula);
  return name_value(formula, name);
}

static double product(struct formula *formula) {
  double value = factor(formula);
  for (;;) {
    if (take(formula, '*')) {
      value *= factor(formula);
    } else if (take(formula, '/')) {
      double by = factor(formula);
      value = by == 0 ? fail(formula, TOPDOWN_BY_NOTHING) : value / by;
    } else {
      return value;
    }
  }
}

static double sum(struct formula *formula) {
  double value = product(formula);
  for (;;) {
    if (take(formula, '+'))
      value += product(formula);
    else if (take(formula, '-'))
      value -= product(formula);
    else
      return value;
  }
}

double topdown_formula_value(const struct topdown_names *names, const char *formula,
                             enum topdown_problem *problem, const struct topdown_event **missing) {
  struct formula whole = {.names = names};
  double value = inner(&whole, formula);
  *problem = whole.problem;
  *missing = whole.problem == TOPDOWN_NOT_COUNTED ? whole.missing : NULL;
  return whole.problem == TOPDOWN_FINE ? value : NAN;
}
