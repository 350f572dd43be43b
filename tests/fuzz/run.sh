#!/usr/bin/env bash
# run.sh - runs one libFuzzer target for SECONDS. Prints the number of inputs tried and of edges reached. When an input fails, prints the end
# of the fuzzer's log and exits with 1. New inputs are left in KEPT, failing ones beside it.
#
# usage: run.sh PROGRAM SECONDS KEPT [OPTION | CORPUS]...
set -euo pipefail
program=$1 seconds=$2 kept=$3
shift 3
name=${program##*/fuzz_}
mkdir -p "$kept"
log=$kept.log
status=0
FUZZ_BEGIN=$kept/begin "$program" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -artifact_prefix="${kept%/*}/" -print_final_stats=1 \
  -max_len=4096 "$kept" "$@" >"$log" 2>&1 || status=1
[ $status -eq 0 ] || tail -n 40 "$log" >&2
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
edges=$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
echo "$name: ${runs:-?} inputs, ${edges:-?} edges"
exit $status
