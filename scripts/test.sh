#!/usr/bin/env bash
# Sets up the machine, checks the style, builds, and runs all tests, from single functions to many processes, and the
# simulation.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source-path=SCRIPTDIR source=lib/say.sh
source "$root/scripts/lib/say.sh"
# shellcheck source-path=SCRIPTDIR source=lib/setup.sh
source "$root/scripts/lib/setup.sh"
# shellcheck source-path=SCRIPTDIR source=lib/tests.sh
source "$root/scripts/lib/tests.sh"

# Seconds for all tests; a run that hangs is ended, with every process it started.
deadline_seconds=${SCREENTIME_TEST_SECONDS:-2400}
# Suites that run at once: they wait more than they compute.
workers=${SCREENTIME_TEST_WORKERS:-$((2 * $(nproc) + 1))}

help() {
    cat <<'END'
usage: scripts/test.sh [--filter REGEX]… [--skip REGEX]… [--no-build] [--no-story] [--without-bubblewrap]

Checks for Swift, installs the packages that are missing, checks the style (scripts/check.sh), builds, runs all tests, the
simulation for less than a minute (scripts/simulate.sh), and at last the story: scripts/run-all.sh --virtual-desktop, on the release build, with --no-build on the debug build.

  --filter REGEX   only tests whose name matches; without style checks, simulation and story
  --skip REGEX     without these
  --no-build       test what is built, install nothing
  --no-story       without the story
  --without-bubblewrap
                   as on a machine where bubblewrap does not work, as in most containers

The whole output of the tests is in .build/test.log. SCREENTIME_TEST_SECONDS: deadline of the tests (default 2400).
SCREENTIME_TEST_WORKERS: suites that run at once (default: one more than twice the processors: many wait for processes).
SCREENTIME_TEST_SEED: the first seed of tests of the store on a simulated disk (default: random).
SCREENTIME_TEST_SCREENSHOT: where the test of dunst writes a picture of its screen.
Exit codes: 0 all passed; 1 a test, a check or the story failed; 64 wrong usage; 69 something needed is missing; 70 the
build failed, a suite ended without a result, or tests did not run; 75 the tests did not end by the deadline.
END
}

filters=() with_build=yes with_story=yes partly=no bubblewrap=
while (($# > 0)); do
    case $1 in
        --filter | --skip)
            (($# > 1)) || fail 64 "$1 needs a regular expression."
            filters+=("$1" "$2")
            [[ $1 != --filter ]] || partly=yes
            shift
            ;;
        --no-build) with_build=no ;;
        --no-story) with_story=no ;;
        --without-bubblewrap) bubblewrap=/nonexistent/bwrap ;;
        --help | -h)
            help
            exit 0
            ;;
        *) fail 64 "'$1' is not an option; see --help." ;;
    esac
    shift
done

# What the tests need beside a clean environment.
prepare_tests() {
    # Extensions of the tests may run where bubblewrap does not work.
    export SCREENTIME_TEST_PROGRAMS=1
    [[ -z $bubblewrap ]] || export SCREENTIME_BUBBLEWRAP=$bubblewrap
    # Many test systems run at once, each with many sockets; the usual 1024 descriptors are too few.
    ulimit -n "$(ulimit -H -n)" 2>/dev/null || true
}

run_tests() {
    local code=0
    heading "Tests"
    say "All output goes to .build/test.log; failures and the result follow."
    run_suites "$deadline_seconds" "$workers" "${filters[@]}" || code=$?
    case $code in
        0) ;;
        1) fail 1 "tests failed; see .build/test.log." ;;
        75) fail 75 "the tests did not end within $deadline_seconds s." ;;
        *) fail 70 "not all tests have a result; see .build/test.log." ;;
    esac
}

begin=$SECONDS
clean_environment KEEP SKIP_PACKAGES BUILD RECORD_GOLDEN RECORD_BACKUP TEST_SEED TEST_SCREENSHOT
prepare_tests
if [[ $with_build == yes ]]; then
    prepare_machine build run desktop test
    prepare_axe
fi
if [[ $partly == no ]]; then
    heading "Style"
    "$root/scripts/check.sh" --prove
    "$root/scripts/check.sh"
fi
if [[ $with_build == yes ]]; then
    heading "Build"
    build debug --build-tests
fi
run_tests
if [[ $partly == no ]]; then
    heading "Simulation"
    "$root/scripts/simulate.sh" --debug --no-build --seed 1 --seconds 45 ||
        fail 1 "the simulation found something; its seed is above (docs/simulation.md)."
fi
if [[ $partly == no && $with_story == yes ]]; then
    heading "The story"
    # Of the release build, as a person runs it: it can fail where the debug build does not.
    story=(SCREENTIME_BUILD=release "$root/scripts/run-all.sh" --virtual-desktop)
    [[ $with_build == yes ]] || story=(SCREENTIME_BUILD=debug "$root/scripts/run-all.sh" --virtual-desktop --no-build)
    env "${story[@]}" ||
        fail 1 "the story failed; its output is above."
fi
say ""
say "${green}All tests passed, after $((SECONDS - begin)) s.$plain"
