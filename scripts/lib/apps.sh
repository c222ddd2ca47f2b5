# The second half of the story: the built-in apps live through a virtual week. Sourced, never run.
# shellcheck shell=bash

# A second system with a virtual clock, on the same desktop.
open_week() {
    export SCREENTIME_RUNTIME_DIR=$world/week/run SCREENTIME_STATE_DIR=$world/week/state
    mkdir -p "$world/week"
    locate_instance
    started=()
    run clock start-virtual 2026-03-02T08:00:00Z
    start_processes "${services[@]}" || fail 69 "it did not start; the reason is above."
    run extension list
}

# An app's command; it uses the virtual clock, as its extensions do.
app() {
    "$products/$1" "${@:2}"
}

# Prints an app's command as typed, and its output.
run_app() {
    printf '  %s$ %s%s\n' "$bold" "$*" "$plain"
    app "$@" 2>&1 | sed 's/^/    /'
}

# Each app asks once; the person approves it.
allow_apps() {
    local name asking id end
    for name in downtime encouragement worklog streaks charts; do
        app "$name" authorize >"$world/$name.out" 2>&1 &
        asking=$!
        end=$((SECONDS + desktop_seconds))
        until id=$(question_of "org.screentime.$name") && [[ -n $id ]]; do
            ((SECONDS < end)) || fail 1 "$name did not ask: $(cat "$world/$name.out")"
        done
        run authorization approve "$id"
        wait "$asking" || fail 1 "$name was not approved: $(cat "$world/$name.out")"
    done
    held "five apps asked, and the person approved each"
}

# The id of a client's open request.
question_of() {
    screentime authorization list | awk -v client="$1" '$2 == client && /asking/ { print $1 }'
}

choose_and_start() {
    run catalog set "$game" games --app
    run selection create play --client org.screentime.downtime --app "$game"
    run_app downtime start --selection play --from 22:00 --to 07:00
    run selection create play --client org.screentime.encouragement --app "$game"
    run_app encouragement start --selection play --minutes 30 --say "Tea is better than marbles."
    run selection create games --client org.screentime.worklog --category games
    run selection create social --client org.screentime.worklog --category social
    run_app worklog setup --gaming games --social social
    run_app worklog evenings on
    run selection create play --client org.screentime.streaks --app "$game"
    run_app streaks decrease "less marbles" --selection play --minutes 45
    note "limits are the person's own: they need no approval and no other app"
    run_app limits set "$game" 1h --warn 5m --say "One hour is one hour."
}

# Monday: the game is played for 40 minutes, by the real desktop's focus under the virtual clock.
play_monday() {
    start_processes "$agent" || fail 69 "the desktop agent did not start."
    focus "$game"
    run clock advance 40m
    stop_processes "$agent"
    run notifications
    run_app limits list
    require "the person's own sentence at 25 and 30 minutes" \
        test "$(screentime notifications --json | grep -ao "Tea is better than marbles." | wc -l)" -ge 2
}

live_the_week() {
    run clock advance-to 2026-03-02T18:00:00Z
    require "in the evening social media are not shielded, games on the web are" \
        test "$(screenshields)" = "domain_category games"
    run clock advance-to 2026-03-02T22:30:00Z
    run shield list
    require "at night the game is shielded" grep -q "app $game" <(screenshields)
    run shield show "$game"
    run clock advance-to 2026-03-09T08:00:00Z
    require "in the morning it is not" test -z "$(screenshields | grep "app $game")"
    run_app downtime status
    run_app worklog status
    run_app streaks list
    require "seven days in a row" grep -q '7 days in a row' <(app streaks list)
    run_app charts show pie --weeks-back 1
    require "the donut names the game" grep -q 'Marble Game' <(app charts show pie --weeks-back 1)
    run report render --client org.screentime.downtime --context "Total Activity" --from 2026-03-02 --to 2026-03-09
}

# The shields: kind and subject, one on each line.
screenshields() {
    screentime shield list --json |
        perl -0ne 'while (/"kind":"([^"]+)".*?"subject":"([^"]+)"/gs) { print "$1 $2\n" }'
}

close_week() {
    stop_processes "${services[@]}"
    require "no process of screentime is left" test -z "$(running)"
}
