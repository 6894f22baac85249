// struct_sharing.c - looks for suspects among the sites whose objects are of the struct.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/model/struct/struct_sharing.h"

#include <string.h>

struct struct_sharing struct_sharing_find(const struct measurement *m,
                                          const struct profile_struct *record) {
  for (size_t i = 0; i < m->sharing.count; i++) {
    const struct sharing_line *line = &m->sharing.lines[i];
    if (line->verdict == SHARING_TRUE || line->is_seldom)
      continue;
    for (size_t k = 0; k < m->sites.count; k++) {
      const struct site_use *use = &m->sites.sites[k];
      if (use->record->id != line->record->site)
        continue;
      struct site_type type = site_type_find(m, use);
      if (type.status == SITE_TYPE_KNOWN && type.structure &&
          type.size_bytes == record->size_bytes && strcmp(type.structure->name, record->name) == 0)
        return (struct struct_sharing){line, use, type, k + 1};
    }
  }
  return (struct struct_sharing){0};
}
