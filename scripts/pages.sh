#!/usr/bin/env bash
# Opens every page of the console in Chromium, in both languages, both themes and three widths, and in Firefox in two
# widths, keeps pictures of them if asked, and does everything that a person can do there.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source-path=SCRIPTDIR source=lib/say.sh
source "$root/scripts/lib/say.sh"
# shellcheck source-path=SCRIPTDIR source=lib/setup.sh
source "$root/scripts/lib/setup.sh"

help() {
    cat <<'END'
usage: scripts/pages.sh [--pictures DIRECTORY] [--quick] [--debug] [--no-build]

Checks every page and dialog: axe-core and the HTML checker find nothing, nothing scrolls sideways, nothing is logged as
an error, the numbers are those of the services, and names are only ever text. Then every action in both languages, on a
desktop's and a phone's width, against what the services have afterwards; and the first run, of an empty system.

  --pictures DIRECTORY  keep a picture of each page and state
  --quick               one language, theme and width; actions in two of the four ways
  --debug               the debug build, which is there after scripts/test.sh
  --no-build            with what is built

Exit codes: 0 all holds; 1 something does not, which is listed; 64 wrong usage; 69 a package is missing; 70 the build
failed.
END
}

configuration=release with_build=yes options=() pictures=() ways=("en 1400" "ko 360" "ko 1400" "en 360")
while (($# > 0)); do
    case $1 in
        --pictures)
            [[ -n ${2:-} ]] || fail 64 "--pictures needs a directory."
            pictures=(--pictures "$2")
            shift
            ;;
        --quick) options+=(--quick) ways=("en 1400" "ko 360") ;;
        --debug) configuration=debug ;;
        --no-build) with_build=no ;;
        --help | -h)
            help
            exit 0
            ;;
        *) fail 64 "'$1' is not an option; see --help." ;;
    esac
    shift
done

clean_environment
if [[ $with_build == yes ]]; then
    prepare_machine build run test pages
    prepare_axe
    build "$configuration"
fi
status=0
check() {
    python3 "$root/Tests/ConsolePages/$1.py" "$root/.build/$configuration" "${@:2}" || status=1
}
check pages "${options[@]}" "${pictures[@]}"
for way in "${ways[@]}"; do
    say "First run and actions: ${way% *}, ${way#* } px"
    check first_run --language "${way% *}" --width "${way#* }" "${pictures[@]}"
    check actions --language "${way% *}" --width "${way#* }" "${pictures[@]}"
done
exit $status
