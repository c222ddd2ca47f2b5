#!/usr/bin/env bash
# Sets up the machine, builds release, measures, and writes the figures to a file; compares two such files.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source-path=SCRIPTDIR source=lib/say.sh
source "$root/scripts/lib/say.sh"
# shellcheck source-path=SCRIPTDIR source=lib/setup.sh
source "$root/scripts/lib/setup.sh"

known=(bus system desktop covers size report thresholds extension console)

help() {
    cat <<'END'
usage: scripts/bench.sh [--quick] [--no-build] [--output FILE] [PART]…
       scripts/bench.sh --compare OLD NEW

Checks for Swift, installs the packages that are missing, builds release, and measures all parts, or those named:

  bus         requests and events against raw libzmq in C
  system      durable ingest, import of a month
  desktop     a focus change in an X session; wake-ups and memory when nothing happens there
  covers      from an act to the cover of a shielded app, and back; beside timekpr-next, if it is there
  size        what is installed
  report      a year by day and app, against SQLite, DuckDB and aw-server
  thresholds  up to a million of them pending
  extension   start and callbacks of extension programs
  console     first paint, loads and answers of the pages in Chromium, with up to ten years of use

Each part prints its tables and ends by its deadline. All figures go to a file as JSON, each with its name, unit, value,
reference, ratio and aim, with the machine, the commit, and the load before and after each part.

  --quick          fewer rounds and rows, and a short idle time
  --no-build       measure what is built, install nothing
  --output FILE    where the figures go (default .build/bench/TIME.json)
  --compare OLD NEW
                   print each figure of two files, the factor, and what is outside the noise

Memory is measured beside no other Swift program, else the figure is marked as shared: their pages are counted in part.
Exit codes: 0 all measured, or compared; 1 a part failed or did not end by its deadline; 64 wrong usage; 65 the files
are of two machines, or no figures; 69 something needed is missing; 70 the build failed.
END
}

with_build=yes parts=() options=() output=
while (($# > 0)); do
    case $1 in
        --compare)
            (($# == 3)) || fail 64 "--compare needs two files and nothing else."
            exec /usr/bin/python3 "$root/Tests/Benchmarks/compare.py" "$2" "$3"
            ;;
        --quick) options+=(--quick) ;;
        --no-build) with_build=no ;;
        --output)
            (($# > 1)) || fail 64 "--output needs a file."
            output=$(realpath -m -- "$2")
            shift
            ;;
        --help | -h)
            help
            exit 0
            ;;
        -*) fail 64 "'$1' is not an option; see --help." ;;
        *)
            [[ " ${known[*]} " == *" $1 "* ]] || fail 64 "'$1' is no part; there are ${known[*]}."
            parts+=("$1")
            ;;
    esac
    shift
done

clean_environment SKIP_PACKAGES
if [[ $with_build == yes ]]; then
    prepare_machine build run desktop bench
    heading "Build"
    build release
fi
"$root/scripts/install.sh" "$root/.build/screentime"
if [[ -z $output ]]; then
    mkdir -p "$root/.build/bench"
    output=$root/.build/bench/$(date +%Y%m%d-%H%M%S).json
fi
month=$root/../shared/data/android-wellbeing/events.csv
[[ ! -f $month ]] || options+=(--month "$month")
# What is measured is what is installed; beside it the programs that measure.
products=$root/.build/bench/products
rm -rf "$products"
mkdir -p "$products"
ln -s "$root"/.build/screentime/* "$products/"
ln -s "$root"/.build/release/{bench-bus,bench-raw,bench-bare,bench-rules,monitor-fixture} "$products/"
exec python3 "$root/Tests/Benchmarks/suite.py" --products "$products" --output "$output" \
    --venv "$root/.build/bench-peers" --swift "$(swift_version)" "${options[@]}" "${parts[@]}"
