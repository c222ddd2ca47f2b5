#!/usr/bin/env bash
# Builds release and prints the bench tables.
set -euo pipefail

help() {
    cat <<'END'
usage: scripts/bench.sh [--quick]

Builds release and prints tables: the bus against raw libzmq, the whole system, reports of a year, thresholds, and
extension programs.

  --quick   fewer rounds and rows, and a short idle time

Exit codes: 0 measured; 64 wrong usage; any other: of what failed.
END
}

cd "$(dirname "$0")/.."
rounds=7 idle=60 rows=1000000 sizes=()
while (($# > 0)); do
    case $1 in
        --quick) rounds=3 idle=10 rows=100000 sizes=(--quick) ;;
        --help | -h)
            help
            exit 0
            ;;
        *)
            echo "bench: '$1' is not an option; see --help." >&2
            exit 64
            ;;
    esac
    shift
done
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
