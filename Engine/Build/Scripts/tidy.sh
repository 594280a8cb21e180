#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
#
# Runs clang-tidy over the sources of a build tree: tidy.sh [BUILD_DIR] [PATH_PREFIX...]
# BUILD_DIR must have been configured by clang (preset clang-tsa, the default build/clang-tsa), so that the flags are its own.
# PATH_PREFIX limits the files: tidy.sh build/clang-tsa Engine/Runtime/Link. Exit status 1 when anything was found.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../.." && pwd)
build=${1:-$root/build/clang-tsa}
[ $# -gt 0 ] && shift
[ "$#" -gt 0 ] || set -- Engine Plugins Server
[ -f "$build/compile_commands.json" ] || {
  echo "tidy: $build has no compile_commands.json. Configure it first: cmake --preset clang-tsa" >&2
  exit 2
}
log=$(mktemp)
trap 'rm -f -- "$log"' EXIT

cd "$root"
mapfile -t files < <(python3 - "$build/compile_commands.json" "$@" <<'PYTHON'
import json
import os
import sys
wanted = tuple(os.path.join(os.getcwd(), prefix) for prefix in sys.argv[2:])
files = {entry["file"] for entry in json.load(open(sys.argv[1]))}
print("\n".join(sorted(file for file in files if file.startswith(wanted) and file.endswith(".cpp"))))
PYTHON
)
[ "${#files[@]}" -gt 0 ] && [ -n "${files[0]}" ] || { echo "tidy: no source under $*" >&2; exit 2; }
echo "tidy: ${#files[@]} files"
status=0
printf '%s\0' "${files[@]}" |
  xargs -0 -n 1 -P "${MUSTER_JOBS:-$(nproc)}" clang-tidy-14 --quiet -p "$build" --warnings-as-errors='*' >"$log" 2>/dev/null ||
  status=1
grep -E '(warning|error):' "$log" | sort -u || true
[ $status -eq 0 ] && echo "tidy: clean"
exit $status
