#!/usr/bin/env bash
# Builds release and prints the bench tables: the bus against raw libzmq, the whole system, reports of a
# year, thresholds, and extension programs.
# Usage: scripts/bench.sh [--quick]      --quick: fewer rounds and rows, and a short idle time
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=7 idle=60 rows=1000000 sizes=()
if [ "${1:-}" = "--quick" ]; then rounds=3 idle=10 rows=100000 sizes=(--quick); fi
echo "bench: building release" >&2
swift build -c release --quiet
products="$(swift build -c release --show-bin-path)"
echo "$(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg) at the start, $(uname -r)"
echo
python3 Tests/Benchmarks/bench.py --products "$products" --rounds "$rounds"
echo
month=()
if [ -f ../shared/data/android-wellbeing/events.csv ]; then
    month=(--month ../shared/data/android-wellbeing/events.csv)
fi
python3 Tests/Benchmarks/system.py --products "$products" --rounds 3 --idle-seconds "$idle" "${month[@]}"
echo
python3 Tests/Benchmarks/report.py --products "$products" --rounds $((rounds * 3)) --rows "$rows" --venv .build/bench-peers
echo
python3 Tests/Benchmarks/thresholds.py --products "$products" "${sizes[@]}"
echo
python3 Tests/Benchmarks/extension.py --products "$products" "${sizes[@]}"
