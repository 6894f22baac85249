# replay_programs.py - writes C programs whose loops use an array of structs in several ways
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Each program has one struct `rec` of so many fields, elements in one array or allocated one by one, and one to three
# loops of the kinds below, which read and write some of the fields (the hot ones). What it prints doesn't depend on
# the order of the fields. Used by replay_orders.py.
import random

COUNTS = (2, 3, 4, 5, 6, 8, 9, 10, 12, 14, 16, 18, 20, 22, 24, 27, 30, 34, 37, 40)  # of fields
# kind of loop: (how often it is drawn, visits of a round for an element, its own field)
KINDS = {"stream": (3, 1, None), "update": (2, 1, None), "random": (3, 0.5, None), "indexed": (2, 0.5, None),
         "chain": (2, 0.15, "next"), "probe": (2, 0.2, "key"), "search": (1, 0.03, "rank")}
INTEGERS = {"char": 1, "short": 2, "int": 4, "unsigned": 4, "long": 8}
REALS = {"float": 4, "double": 8}
SMALLEST, LARGEST = 1.5e6, 128e6  # bytes of all elements


class Field:
    def __init__(self, name, ctype, size, length=0):
        self.name, self.ctype, self.align, self.length = name, ctype, size, length
        self.size = size * (length or 1)
        self.offset = 0

    def declaration(self):
        star = "" if self.ctype.endswith("*") else " "
        return f"  {self.ctype}{star}{self.name}{f'[{self.length}]' if self.length else ''};"

    def is_real(self):
        return self.ctype in REALS


def scalar(rng, name):
    ctype = rng.choice(("char", "short", "int", "int", "unsigned", "long", "long", "float", "double", "double"))
    return Field(name, ctype, {**INTEGERS, **REALS}[ctype])


def cold(rng, name):
    kind = rng.random()
    if kind < 0.5:
        return scalar(rng, name)
    if kind < 0.65:
        return Field(name, "void *", 8)
    if kind < 0.85:
        return Field(name, "char", 1, rng.randint(3, 48))
    return Field(name, "double", 8, rng.randint(2, 4)) if kind < 0.95 else Field(name, "int", 4, rng.randint(2, 6))


def spread(rng, hot, others):
    """The hot fields as far from one another as the others allow."""
    fields, places = list(others), len(hot)
    rng.shuffle(fields)
    for i, field in enumerate(hot):
        fields.insert(round(i * (len(others) + 1) / places) + i, field)
    return fields


def lay_out(fields):
    """Sets the offsets as the x86-64 and AArch64 ABIs have them. Returns the struct's size."""
    at, most = 0, 1
    for field in fields:
        at = -(-at // field.align) * field.align
        field.offset = at
        at, most = at + field.size, max(most, field.align)
    return -(-at // most) * most


class Loop:
    def __init__(self, rng, kind, hot, own):
        self.kind, self.own = kind, own
        self.fields = rng.sample(hot, rng.randint(min(2, len(hot)), min(5, len(hot)))) if hot else []
        self.written = []
        if self.fields and (kind == "update" or (kind in ("random", "indexed") and rng.random() < 0.3)):
            self.written = [rng.choice(self.fields)]
        self.work = rng.choice((0, 0, 0, 1, 2, 4))
        self.has_branch = len(self.fields) > 1 and kind in ("stream", "random", "indexed", "chain") and rng.random() < 0.25
        self.part = KINDS[kind][1] * rng.uniform(0.5, 2) if kind not in ("stream", "update") else 1

    def reads(self, fields):
        return [f"    real += e->{f.name};" if f.is_real() else f"    sum += (unsigned long)e->{f.name};" for f in fields]

    def body(self):
        """What a visit of e does."""
        lines = self.reads(self.fields[:1] if self.has_branch else self.fields)
        if self.has_branch:
            lines.append(f"    if (((long)e->{self.fields[0].name} & 3) == 0) {{")
            lines += ["  " + line for line in self.reads(self.fields[1:])] + ["    }"]
        for f in self.written:
            lines.append(f"    e->{f.name} = ({f.ctype})(((unsigned long)(long)e->{f.name} + salt) & 127);")
        lines += ["    sum = (sum ^ sum >> 9) * 0x9e3779b97f4a7c15u;"] * self.work
        return lines

    def text(self, name, visits):
        const = "" if self.written else "const "
        get = f"    {const}struct rec *e = "
        head = {
            "stream": ["  for (unsigned i = 0; i < N; i++) {", get + "AT(i);"],
            "random": [f"  for (unsigned k = 0; k < {visits}; k++) {{", get + "AT(draw(&state));"],
            "indexed": [f"  for (unsigned k = 0; k < {visits}; k++) {{", get + "AT(order[(first + k) % N]);"],
            "chain": [f"  for (unsigned k = 0; k < {visits}; k++) {{", get + "walk;"],
            "probe": [f"  for (unsigned k = 0; k < {visits}; k++) {{",
                      "    unsigned id = 1 + draw(&state) % KEYS, at = slot(id);",
                      "    while (AT(at)->key != id)", "      at = at + 1 == N ? 0 : at + 1;", get + "AT(at);"],
            "search": [f"  for (unsigned k = 0; k < {visits}; k++) {{",
                       "    unsigned target = 2 * draw(&state), low = 0, high = N;", "    while (high - low > 1) {",
                       "      unsigned middle = (low + high) / 2;",
                       "      if (AT(middle)->rank <= target)", "        low = middle;", "      else",
                       "        high = middle;", "    }", get + "AT(low);"],
        }
        head["update"] = head["stream"]
        lines = [f"__attribute__((noinline)) static unsigned long {name}(unsigned long salt) {{",
                 "  unsigned long sum = salt;", "  double real = 0;"]
        if self.kind in ("random", "probe", "search"):
            lines.append("  uint32_t state = (uint32_t)salt * 2654435761u + 1;")
        if self.kind == "indexed":
            lines.append("  unsigned first = (uint32_t)salt * 40503u % N;")
        lines += head[self.kind] + self.body()
        if self.kind == "chain":
            lines.append("    walk = e->next;")
        return lines + ["  }", "  return sum + (unsigned long)(long)real;", "}", ""]


class Program:
    """count fields, from a seed; only: kinds of loops to draw from."""

    def __init__(self, seed, count, only=None):
        rng = random.Random(f"{seed}.{count}")
        names = [k for k in only or KINDS if count > 2 or not KINDS[k][2]]
        kinds = sorted(set(rng.choices(names, [KINDS[k][0] for k in names], k=rng.randint(1, 3))))
        kinds = [k for i, k in enumerate(kinds) if not KINDS[k][2] or i < count - 1]
        own = [Field("next", "struct rec *", 8)] * ("chain" in kinds) + \
            [Field(KINDS[k][2], "unsigned", 4) for k in kinds if k in ("probe", "search")]
        hot = [scalar(rng, f"h{i}") for i in range(min(count - len(own), rng.randint(2, 7)))]
        others = [cold(rng, f"c{i}") for i in range(count - len(own) - len(hot))]
        self.hot, self.others = own + hot, others
        self.placed = rng.choice(("apart", "apart", "together", "mixed"))
        self.fields = self.arranged(rng, self.placed)
        self.size = lay_out(self.fields)
        self.is_array = rng.random() < 0.7
        element = self.size if self.is_array else max(32, (self.size + 23) // 16 * 16)
        self.elements = max(2000, int(SMALLEST * (LARGEST / SMALLEST) ** rng.random() / element))
        self.bytes = self.elements * element
        self.loops = [Loop(rng, k, hot, KINDS[k][2]) for k in kinds]
        self.rng = rng

    def arranged(self, rng, how):
        """Fields in an order: hot ones apart, together in front, or anyhow."""
        if how == "apart":
            return spread(rng, self.hot, self.others)
        fields = self.hot + self.others
        if how == "mixed":
            rng.shuffle(fields)
        return fields

    def other_order(self):
        """(name, fields): hot ones together if they are apart, apart if they aren't, or anyhow."""
        how = self.rng.choice(("mixed", "apart" if self.placed == "together" else "together"))
        return how, self.arranged(self.rng, how)

    def kinds(self):
        return "+".join(loop.kind + ("/branch" if loop.has_branch else "") + ("/write" if loop.written and loop.kind != "update" else "")
                        for loop in self.loops)

    def source(self):
        own = {loop.own for loop in self.loops}
        lines = ["// Written by bench/replay_programs.py.", "#include <stdint.h>", "#include <stdio.h>", "#include <stdlib.h>", "",
                 "struct rec {", *[f.declaration() for f in self.fields], "};", "",
                 f"enum {{ N = {self.elements}, KEYS = N / 10 * 7 }};"]
        lines += ["static struct rec *all;", "#define AT(i) (&all[i])"] if self.is_array else \
            ["static struct rec **all;", "#define AT(i) (all[i])"]
        lines += ["static uint32_t *order;"] if self.has_order() else []
        lines += ["static struct rec *walk;"] if "next" in own else []
        lines += ["", "static inline uint32_t mix(uint32_t x) {", "  x = (x ^ x >> 16) * 0x7feb352du;",
                  "  x = (x ^ x >> 15) * 0x846ca68bu;", "  return x ^ x >> 16;", "}", "",
                  "static inline unsigned draw(uint32_t *state) {", "  *state = *state * 1664525u + 1013904223u;",
                  "  return (unsigned)((uint64_t)*state * N >> 32);", "}", ""]
        if "key" in own:
            lines += ["static inline unsigned slot(unsigned id) { return (unsigned)((uint64_t)mix(id) * N >> 32); }", ""]
        lines += self.fill(own)
        for i, loop in enumerate(self.loops):
            lines += loop.text(f"{loop.kind}_{i}", max(1000, int(loop.part * self.elements)))
        lines += ["int main(int argc, char **argv) {", "  long rounds = argc > 1 ? atol(argv[1]) : 2;",
                  "  unsigned long sum = 0;", "  fill();", "  for (long r = 0; r < rounds; r++) {",
                  *[f"    sum += {loop.kind}_{i}((unsigned long)r);" for i, loop in enumerate(self.loops)],
                  "  }", '  printf("%lu\\n", sum);', "  return 0;", "}"]
        return "\n".join(lines) + "\n"

    def has_order(self):
        return any(loop.kind in ("indexed", "chain") for loop in self.loops)

    def fill(self, own):
        """Values that no predictor learns; the ring of a chain is one cycle (Sattolo)."""
        lines = ["static void fill(void) {"]
        if self.is_array:
            lines += ["  all = calloc(N, sizeof *all);", "  if (!all)", "    exit(1);"]
        else:
            lines += ["  all = malloc(N * sizeof *all);", "  if (!all)", "    exit(1);", "  for (unsigned i = 0; i < N; i++)",
                      "    if (!(all[i] = calloc(1, sizeof *all[i])))", "      exit(1);"]
        sets = [f"    AT(i)->{f.name} = ({f.ctype})(mix(i + {k}u) & 127);" for k, f in enumerate(self.hot) if f.name[0] == "h"]
        sets += ["    AT(i)->rank = 2 * i;"] if "rank" in own else []
        if sets:
            lines += ["  for (unsigned i = 0; i < N; i++) {", *sets, "  }"]
        if "key" in own:
            lines += ["  for (unsigned id = 1; id <= KEYS; id++) {", "    unsigned at = slot(id);", "    while (AT(at)->key)",
                      "      at = at + 1 == N ? 0 : at + 1;", "    AT(at)->key = id;", "  }"]
        if self.has_order():
            lines += ["  order = malloc(N * sizeof *order);", "  if (!order)", "    exit(1);", "  for (unsigned i = 0; i < N; i++)",
                      "    order[i] = i;", "  for (unsigned i = N - 1; i > 0; i--) {",
                      "    unsigned j = (unsigned)((uint64_t)mix(i) * i >> 32);", "    uint32_t swapped = order[i];",
                      "    order[i] = order[j];", "    order[j] = swapped;", "  }"]
        if "next" in own:
            lines += ["  for (unsigned i = 0; i < N; i++)", "    AT(i)->next = AT(order[i]);", "  walk = AT(0);"]
        return lines + ["}", ""]

    def layout(self, name, fields):
        """A layout file for the compiler: the fields in that order."""
        line = 1 + self.source().split("struct rec {")[0].count("\n")
        return (f"reticle-layout 1\nstruct rec\nplace {name}:{line}\nsize {self.size}\n" +
                "".join(f"field {f.offset} {f.size} {f.name}\n" for f in fields))
