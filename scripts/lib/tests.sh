# shellcheck shell=bash
# Runs the suites of the built tests, several at once, each in a process of its own, longest first. A suite's tests run
# one after the other, because most of them start systems. The caller has $root and scripts/lib/say.sh.

# Suites that measure run alone, after all others.
readonly alone='^(StoreTests\.SpeedTests|BusTests\.FairTurnTests)$'

# usage: run_suites SECONDS WORKERS [--filter REGEX]… [--skip REGEX]…
# Prints failures immediately, then a sum; keeps each suite's output in .build/tests, all of it in .build/test.log, and the
# time of each suite in .build/test.milliseconds. Returns 1 if a test failed, 70 if a suite ended without a result, 75 if
# the suites did not end within SECONDS.
run_suites() {
    local deadline=$((SECONDS + $1)) workers=$2 bundle list suite code=0 sum=0
    shift 2
    bundle=$(printf '%s\n' "$root"/.build/debug/*.xctest)
    [[ -x $bundle ]] || fail 70 "there are no built tests; run scripts/test.sh without --no-build."
    rm -rf "$root/.build/tests"
    mkdir -p "$root/.build/tests"
    : >"$root/.build/test.log"
    : >"$root/.build/tests/failures"
    list=$("$bundle" --testing-library swift-testing --list-tests) || fail 70 "the tests could not be listed."
    list=$(chosen "$@" <<<"$list")
    [[ -n $list ]] || fail 64 "no test has such a name."
    trap 'end_suites; exit 130' INT TERM
    while read -r suite; do
        await_workers "$workers"
        run_suite "$suite" "$list" "$deadline" &
    done < <(in_order "$list" | grep -vE "$alone" || true)
    while read -r suite; do
        await_workers 1
        run_suite "$suite" "$list" "$deadline" &
    done < <(in_order "$list" | grep -E "$alone" || true)
    await_workers 1
    if ((SECONDS >= deadline)); then
        say "Tests that had not ended, by the log:"
        unfinished <"$root/.build/test.log" | head -n 20
        code=75
    fi
    end_suites
    trap - INT TERM
    wait
    sum_up "$(wc -l <<<"$list")" || sum=$?
    ((code != 0)) || code=$sum
    return "$code"
}

# usage: chosen [--filter REGEX]… [--skip REGEX]…    the lines that match any filter and nothing to skip
chosen() {
    local -a wanted=() skipped=()
    while (($# > 0)); do
        if [[ $1 == --filter ]]; then wanted+=(-e "$2"); else skipped+=(-e "$2"); fi
        shift 2
    done
    ((${#wanted[@]} > 0)) || wanted=(-e '')
    grep -E "${wanted[@]}" | if ((${#skipped[@]} > 0)); then grep -vE "${skipped[@]}"; else cat; fi || true
}

# Waits until fewer than $1 suites run.
await_workers() {
    while (($(jobs -pr | wc -l) >= $1)); do wait -n || true; done
}

# The suites of a list of tests, those first that took longest the last time; without such a record, the suites of the
# console's pages, which take minutes, then those that start processes, by their number of tests.
in_order() {
    local times=$root/.build/test.milliseconds
    [[ -e $times ]] || times=/dev/null
    sed -E 's,/.*,,' <<<"$1" | sort | uniq -c | awk '
        FILENAME != "-" { known[$2] = $1; next }
        $2 ~ /^ConsoleTests\.Pages/ { print ($2 in known) ? known[$2] : 600000, $2; next }
        { took = ($2 in known) ? known[$2] : ($2 ~ /^IntegrationTests/ ? 2000 * $1 : 100 * $1); print took, $2 }' \
        "$times" - | sort -rn | cut -d' ' -f2
}

# One suite, in a session of its own, until the deadline.
run_suite() {
    local name=$1 own=$root/.build/tests/$1 begin=${EPOCHREALTIME/./} left=$(($3 - SECONDS)) names
    ((left > 0)) || return 0
    # Exactly the tests of the list.
    names=$(grep -E "^${name//./\\.}(/|$)" <<<"$2" | sed -E 's/[][().*+?^${}|\\]/\\&/g' | paste -sd'|')
    # shellcheck disable=SC2016
    (cd "$root" && exec setsid --wait bash -c 'echo $$ >"$1"; shift; exec "$@"' bash "$own.session" \
        timeout --kill-after=20 "$left" "$bundle" --testing-library swift-testing --no-parallel --filter "^($names)(/|\$)") \
        </dev/null >"$own.log" 2>&1 || true
    end_session "$own.session"
    {
        flock 9
        cat "$own.log" >>"$root/.build/test.log"
        show_failures "$name" "$own.log"
        echo "$(((${EPOCHREALTIME/./} - begin) / 1000)) $name" >>"$root/.build/tests/milliseconds"
    } 9>>"$root/.build/tests/lock"
}

show_failures() {
    if ! grep -aqE '^. Test run with .* (passed|failed) after' "$2"; then
        say "$1 ended without a result; the end of its output:"
        tail -n 20 "$2"
        echo "$1" >>"$root/.build/tests/failures"
    fi
    grep -aE '^(✘|↳ [^T])|recorded an issue|^error:|Fatal error' "$2" || true
}

# Ends what is left of a suite's session. The processes that tests started in separate sessions end with it.
end_session() {
    local -a left
    [[ -s $1 ]] || return 0
    mapfile -t left < <(ps -o pid= -s "$(<"$1")" || true)
    ((${#left[@]} == 0)) || kill -KILL "${left[@]// /}" 2>/dev/null || true
}

end_suites() {
    local session
    for session in "$root"/.build/tests/*.session; do end_session "$session"; done
}

# Prints the number of tests and what was skipped; 1 if a test failed, 70 if a suite has no result or tests are missing.
sum_up() {
    local log=$root/.build/test.log ran failed
    sort -rn "$root/.build/tests/milliseconds" >"$root/.build/test.milliseconds"
    sed -nE 's/^. (Test|Suite) .* skipped: "(.*)"$/Skipped: \2./p' "$log" | sort | uniq -c
    ran=$(sed -nE 's/^. Test run with ([0-9]+) tests? .*/\1/p' "$log" | awk '{ sum += $1 } END { print sum + 0 }')
    failed=$(grep -aE '^. Test .* failed after' "$log" | grep -acvE '^. Test run with ' || true)
    say "$ran of $1 tests ran, $failed failed; the longest suites: $(head -n 3 "$root/.build/test.milliseconds" |
        awk '{ printf "%s%s %d s", sep, $2, $1 / 1000; sep = ", " }')."
    [[ ! -s $root/.build/tests/failures ]] || return 70
    ((ran == $1)) || return 70
    ((failed == 0)) && ! grep -aqE '^✘ Test run' "$log" || return 1
}

# Tests of a log that began and did not end. Their lines begin with a symbol of three bytes.
unfinished() {
    awk '/^[^ ]+ Test [^ ]+\(.* started\.$/ { sub(/^[^ ]+ /, ""); sub(/ started\.$/, ""); open[$0]; next }
        /^[^ ]+ Test .* (passed|failed|skipped)/ {
            sub(/^[^ ]+ /, ""); sub(/ (with .* )?(passed|failed|skipped).*/, ""); delete open[$0]
        }
        END { for (test in open) print "  " test }'
}
