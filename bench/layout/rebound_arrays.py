#!/usr/bin/env python3
# rebound_arrays.py - the change by hand of a rebound tree: drift, kick and gravity work on an array for each field
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: rebound_arrays.py SRC   rebound's folder src, which is changed
# reb_simulation_steps() copies the particles into arrays at the first drift and back at its end.
import os
import re
import sys

FIELDS = ("x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az")
HEADER = f"""#include <stdlib.h>
struct reb_soa {{ double {', '.join('*' + f for f in FIELDS)}; }};
extern struct reb_soa reb_soa;
static inline void reb_soa_open(struct reb_simulation *r) {{
  if (reb_soa.x) return;
  {' '.join(f'reb_soa.{f} = malloc(r->N * sizeof(double));' for f in FIELDS)}
  for (size_t i = 0; i < r->N; i++) {{ {' '.join(f'reb_soa.{f}[i] = r->particles[i].{f};' for f in FIELDS)} }}
}}
static inline void reb_soa_close(struct reb_simulation *r) {{
  if (!reb_soa.x) return;
  for (size_t i = 0; i < r->N; i++) {{ {' '.join(f'r->particles[i].{f} = reb_soa.{f}[i];' for f in FIELDS)} }}
  {' '.join(f'free(reb_soa.{f}); reb_soa.{f} = NULL;' for f in FIELDS)}
}}
"""


def change(name, function, edit, before=""):
    """Has edit make the body of a function anew."""
    path = os.path.join(sys.argv[1], name)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    begin = text.index(function)
    end = text.index("\n}\n", begin)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text[:begin] + before + edit(text[begin:end]) + text[end:])


def to_arrays(body):
    return re.sub(r"particles\[([ij])\]\.(v[xyz]|a[xyz]|[xyz])\b", r"reb_soa.\2[\1]", body)


with open(os.path.join(sys.argv[1], "soa.h"), "w", encoding="utf-8") as header:
    header.write(HEADER)
change("integrator_leapfrog.c", "static void kick(", to_arrays)
change("integrator_leapfrog.c", "static void drift(", lambda body: to_arrays(body).replace("{", "{\n    reb_soa_open(r);", 1),
       '#include "soa.h"\nstruct reb_soa reb_soa;\n')
change("gravity.c", "void reb_gravity_basic_calculate_acceleration(", to_arrays, '#include "soa.h"\n')
change("simulation.c", "void reb_simulation_steps(", lambda body: body + "\n    reb_soa_close(r);", '#include "soa.h"\n')
