#!/usr/bin/env bash
# SPDX-FileCopyrightText: 2026 Muster contributors
# SPDX-License-Identifier: MIT
#
# format.sh [--check]: formats every C and C++ file of the tree with clang-format 14, or only names those that differ.
# With --check the exit status is 1 when a file differs and 2 when clang-format 14 is missing.
set -euo pipefail
root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../.." && pwd)
cd "$root"
command -v clang-format-14 >/dev/null || { echo "format.sh: clang-format-14 is missing (apt package clang-format-14)" >&2; exit 2; }
folders=()
for folder in Engine Plugins Server Editor Tests; do
  [ -d "$folder" ] && folders+=("$folder")
done
mapfile -d '' files < <(find "${folders[@]}" -type f \( -name '*.h' -o -name '*.c' -o -name '*.cpp' \) -print0 | sort -z)
[ "${#files[@]}" -gt 0 ] || { echo "format.sh: no source file found under $root" >&2; exit 2; }
case ${1:-} in
  --check)
    printf '%s\0' "${files[@]}" | xargs -0 -n 40 clang-format-14 --dry-run -Werror --ferror-limit=1 || {
      echo "format.sh: run Engine/Build/Scripts/format.sh to format the files named above" >&2
      exit 1
    }
    echo "format.sh: ${#files[@]} files are formatted"
    ;;
  '') printf '%s\0' "${files[@]}" | xargs -0 -n 40 clang-format-14 -i ;;
  *) echo "usage: format.sh [--check]" >&2; exit 2 ;;
esac
