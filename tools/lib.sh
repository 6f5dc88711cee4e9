# shellcheck shell=bash disable=SC2034
# What the tools share: words, clocks, help and retries. Sourced first by each of them; it also moves to the project's
# root, so that a tool may be called from any folder.
set -euo pipefail

tool=tools/$(basename "$0")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
deps=${VERNIER_DEPS:-${XDG_CACHE_HOME:-$HOME/.cache}/vernier}
jobs=${VERNIER_JOBS:-$(nproc)}

now() { echo "${EPOCHREALTIME/[.,]/}"; }
started=$(now)

# The seconds since the given moment, with one decimal.
seconds_since() {
  local -r tenths=$((($(now) - $1) / 100000))
  echo "$((tenths / 10)).$((tenths % 10)) s"
}

say() { echo "== $*"; }
die() { echo "$tool: $*" >&2; exit 1; }
wrong_usage() { echo "$tool: $*; see $tool --help" >&2; exit 2; }

# The comment at the top of a tool is its help.
show_help() { sed -n '2,/^[^#]/{s/^# \?//p}' "$tool"; }

# step "what is done" COMMAND...: says so, runs it, and says how long it took.
step() {
  local -r what=$1 begin=$(now)
  say "$what"
  "${@:2}" || { local -r code=$?; say "$what: FAILED after $(seconds_since "$begin")"; return "$code"; }
  say "$what: done in $(seconds_since "$begin")"
}

# quietly COMMAND...: its output is shown only when it fails.
quietly() {
  local output
  output=$("$@" 2>&1 </dev/null) || { local -r code=$?; echo "$output" >&2; return "$code"; }
}

# retry COMMAND...: up to four times, for downloads.
retry() {
  local pause
  for pause in 2 5 10; do
    "$@" && return
    say "a download failed; once more in $pause s" >&2
    sleep "$pause"
  done
  "$@"
}

# The folder in which a CMake preset builds.
build_folder() { if [[ $1 == release ]]; then echo build; else echo "build/$1"; fi; }
