# apt.sh - Debian's source packages without a change to the system; sourced by the scripts that fetch
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The sourcing script sets `me` (its own name, for messages), `dir` (where lists and files are kept),
# and has die() of common.sh.

# The machine's deb entries for Debian's main archive, as deb-src entries in deb822 form.
list_sources() {
  . /etc/os-release
  for file in /etc/apt/sources.list.d/*.sources; do
    [ -f "$file" ] || continue
    grep -v '^#' "$file" | awk -v RS= -v ORS='\n\n' -v suite="${VERSION_CODENAME:-stable}" '
      $0 ~ "(^|\n)Suites:[^\n]*" suite && $0 ~ "(^|\n)Components:[^\n]*main" && !/(^|\n)Enabled: *no/ {
        sub(/(^|\n)Types:[^\n]*/, "\nTypes: deb-src"); sub(/^\n/, ""); print }'
  done
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ -f "$file" ] || continue
    awk -v suite="${VERSION_CODENAME:-stable}" '
      $1 == "deb" || $1 == "deb-src" {
        line = $0; sub(/#.*/, "", line); signed = ""
        if (match(line, /\[[^]]*\]/)) { # options, as in: deb [arch=amd64 signed-by=FILE] URI SUITE ...
          opt = substr(line, RSTART + 1, RLENGTH - 2)
          if (match(opt, /signed-by=[^ ]+/)) signed = substr(opt, RSTART + 10, RLENGTH - 10)
          sub(/\[[^]]*\]/, "", line)
        }
        n = split(line, f, " ")
        if (index(f[3], suite) != 1 || line !~ / main( |$)/) next
        printf "Types: deb-src\nURIs: %s\nSuites: %s\nComponents: main\n", f[2], f[3]
        if (signed != "") printf "Signed-By: %s\n", signed
        print "" }' "$file"
  done
}

# apt-get with lists and cache of our own.
apt() {
  apt-get -q=1 -o Dir::State::Lists="$dir/apt/lists" -o Dir::Cache="$dir/apt/cache" \
    -o Dir::Etc::SourceList="$dir/apt/reticle.sources" -o Dir::Etc::SourceParts=/dev/null \
    -o APT::Sandbox::User= "$@"
}

# The index of source packages, read into $dir/apt.
read_index() {
  mkdir -p "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial"
  list_sources >"$dir/apt/reticle.sources"
  [ -s "$dir/apt/reticle.sources" ] ||
    die "no Debian archive in /etc/apt/sources.list or sources.list.d; add one: deb http://deb.debian.org/debian bookworm main"
  echo "$me: reading the index of source packages into $dir/apt (the system's apt lists stay as they are)"
  apt update >"$dir/apt/log" 2>&1 || {
    cat "$dir/apt/log" >&2
    die "apt-get update failed (above); check the network and /etc/apt/sources.list"
  }
}

apt_cache() {
  apt-cache -o Dir::State::Lists="$dir/apt/lists" -o Dir::Cache="$dir/apt/cache" \
    -o Dir::Etc::SourceList="$dir/apt/reticle.sources" -o Dir::Etc::SourceParts=/dev/null "$@"
}
