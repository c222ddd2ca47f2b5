#!/usr/bin/env bash
# Sends requests generated from the contract's schemas to every method of every service, for any time.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source-path=SCRIPTDIR source=lib/say.sh
source "$root/scripts/lib/say.sh"

help() {
    cat <<'END'
usage: scripts/fuzz.sh [--seconds N] [--seed N] [--in-process | --over-the-bus] [--no-build]

Values at the edges of every type, missing, null and doubled ones, in an order that the seed decides: first to all
services inside of one process, then to the built programs. Each request must be answered, and no service may end; the
request that ended one is shown. scripts/test.sh does the same for a minute.

  --seconds N      of each of the two (default 600)
  --seed N         the same requests again, as far as the answers are the same (default: by chance; it is printed)
  --in-process     only the first
  --over-the-bus   only the second
  --no-build       with what is built

Exit codes: 0 nothing was found; 1 something was; 64 wrong usage; 70 the build failed.
END
}

seconds=600 seed='' tests=noRequestEndsAService with_build=yes
while (($# > 0)); do
    case $1 in
        --seconds | --seed)
            [[ ${2:-} =~ ^[0-9]{1,9}$ ]] || fail 64 "$1 needs a number."
            [[ $1 == --seed ]] && seed=$2 || seconds=$2
            shift
            ;;
        --in-process) tests=noRequestEndsAServiceInProcess ;;
        --over-the-bus) tests=noRequestEndsAServiceOverTheBus ;;
        --no-build) with_build=no ;;
        --help | -h)
            help
            exit 0
            ;;
        *) fail 64 "'$1' is not an option; see --help." ;;
    esac
    shift
done

cd "$root"
if [[ $with_build == yes ]]; then swift build --build-tests || fail 70 "the build failed."; fi
export SCREENTIME_FUZZ_SECONDS=$seconds
[[ -z $seed ]] || export SCREENTIME_FUZZ_SEED=$seed
swift test --skip-build --disable-xctest --no-parallel --filter "FuzzTests.*$tests" || fail 1 "something was found; see above."
