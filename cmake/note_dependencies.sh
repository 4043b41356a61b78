#!/usr/bin/env bash
# COMPILER ARGS... -o OBJECT -c SOURCE: stands before the compiler where clang-tidy has just read
# the source and said its warnings. What is left to do is to note which headers it includes, so
# that ninja knows when to look at it again; code that nobody runs is not made.
set -euo pipefail

object=''
for ((i = 1; i < $#; ++i)); do
  [[ ${!i} != -o ]] || { j=$((i + 1)); object=${!j}; }
done
"$@" -E -o /dev/null
: >"$object"
