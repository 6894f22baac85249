// lazy.h - parts of a measurement that are made when they are first asked for, and kept with it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part belongs to the file that knows how to make it: LAZY in that file defines NAME_get, which
// its header declares. The measurement knows of parts nothing but how to release them.
#ifndef RETICLE_TOOLS_MODEL_MEASUREMENT_LAZY_H
#define RETICLE_TOOLS_MODEL_MEASUREMENT_LAZY_H

#include <stddef.h>

struct measurement;

/// What a part is made and released by; its address says which part it is.
struct lazy_part {
  size_t bytes;
  /// made  of `bytes`, all 0
  void (*make)(const struct measurement *m, const void *row, void *made);
  void (*release)(void *made);
};

/// Parts that were made. Start with lazy_new, end with lazy_free.
struct lazy;
struct lazy *lazy_new(void);
/// Releases all, the last one made first: a part may use those that it has asked for.
void lazy_free(struct lazy *lazy);

/// The part of the row, made of m if need be, which lives as long as the measurement. row: null for
/// a part of the whole.
const void *lazy_get(struct lazy *lazy, const struct measurement *m, const struct lazy_part *part,
                     const void *row);

/// For a part that owns nothing.
#define LAZY_KEEP(made) ((void)(made))

/// Defines const type *NAME_get(m); `static LAZY` for one file alone.
///
/// make     void (const struct measurement *, type *)
/// release  void (type *), or LAZY_KEEP
#define LAZY(name, type, make, release)                                                            \
  const type *name##_get(const struct measurement *m);                                             \
  static void name##_lazy_make(const struct measurement *m, const void *row, void *made) {         \
    (void)row;                                                                                     \
    make(m, made);                                                                                 \
  }                                                                                                \
  static void name##_lazy_release(void *made) { release((type *)made); }                           \
  const type *name##_get(const struct measurement *m) {                                            \
    static const struct lazy_part part = {sizeof(type), name##_lazy_make, name##_lazy_release};    \
    return lazy_get(m->lazy, m, &part, NULL);                                                      \
  }

/// Defines const type *NAME_get(m, row), a part for each row.
///
/// row_type  one whose address names it as long as the measurement lives
/// make      void (const struct measurement *, const row_type *, type *)
#define LAZY_OF(name, type, row_type, make, release)                                               \
  const type *name##_get(const struct measurement *m, const row_type *row);                        \
  static void name##_lazy_make(const struct measurement *m, const void *row, void *made) {         \
    make(m, (const row_type *)row, made);                                                          \
  }                                                                                                \
  static void name##_lazy_release(void *made) { release((type *)made); }                           \
  const type *name##_get(const struct measurement *m, const row_type *row) {                       \
    static const struct lazy_part part = {sizeof(type), name##_lazy_make, name##_lazy_release};    \
    return lazy_get(m->lazy, m, &part, row);                                                       \
  }

#endif
