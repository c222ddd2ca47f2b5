# The story that run-all.sh --virtual-desktop tells, and checks: each step that does not hold ends it. Sourced, never run.
# shellcheck shell=bash

game=org.screentime.demo.Game
writing=org.screentime.demo.Writing
coach=org.screentime.demo.Coach

# Seconds from `monitor start` to the end of the interval; the story fits in with room to spare.
interval_seconds=45

# Messages of the agent when it has frozen and thawed an app, and of shield-cover when it has covered one.
frozen_line='"message":"frozen"'
thawed_line='"message":"thawed"'
covered_line='"message":"covered"'

tell_story() {
    make_world
    trap 'end_story $?' EXIT
    trap 'exit 130' INT TERM
    story_begin=$SECONDS
    part "A desktop of its own" open_desktop
    part "The six services and the desktop agent" open_services
    part "An app asks, and the person decides" ask_permission
    part "A limit in the person's own words" set_limit
    part "The game is played; the time runs" play
    part "The limit is reached: the game is covered and frozen, not killed" check_frozen
    part "The person asks for more time, on the cover" ask_for_more_time
    part "One more minute" take_a_minute
    part "The interval ends: the game continues where it was" check_thawed
    part "Who used what for how long" report_use
    part "How one change of focus travelled, to the freeze" show_trace
    part "Everything stops" close_services
    part "The built-in apps, in a system with a virtual clock" open_week
    part "They ask, and the person decides" allow_apps
    part "What each is configured to do" choose_and_start
    part "Monday" play_monday
    part "The rest of the week" live_the_week
    part "Everything stops again" close_week
    heading "${green}Every step of the story succeeded, in $((SECONDS - story_begin)) seconds.$plain"
    say "  pictures  ${pictures#"$root"/}"
}

part() {
    heading "$1"
    pause
    "$2"
}

# A pause for the reader of a terminal. Nothing waits for it.
pause() { if [[ -t 1 ]]; then sleep 1; fi; }

note() { printf '%s  %s%s\n' "$faint" "$*" "$plain"; }

held() { printf '  %s✓%s %s\n' "$green" "$plain" "$*"; }

# usage: require SENTENCE COMMAND…     a step of the story; if it fails, the story ends
require() {
    local sentence=$1
    shift
    if "$@"; then held "$sentence"; else fail 1 "this failed: $sentence"; fi
}

# Prints a command as typed, and its output.
run() {
    printf '  %s$ screentime %s%s\n' "$bold" "$*" "$plain"
    screentime "$@" 2>&1 | sed 's/^/    /'
}

screentime() { "$products/screentime" "$@"; }

# ---- the parts, in order

open_desktop() {
    avoid_midnight
    write_programs
    install_app "$game" "Marble Game" "$world/bin/marbles" "#7a1f3d" Game
    install_app "$writing" "Writing" "$world/bin/notes" "#1f4d7a" Office
    start_desktop
    open_app "$writing" +20+330
    focus "$writing"
    note "X server $DISPLAY, window manager openbox, a session bus, notification daemon dunst"
    note "apps with desktop entries of their own: Marble Game ($game), Writing ($writing)"
}

# The story's interval must not cross midnight: close to it, the whole story uses another time zone.
avoid_midnight() {
    local zone
    for zone in "" Etc/GMT+6 Etc/GMT+12; do
        if [[ -n $zone ]]; then export TZ=$zone; fi
        [[ $(date +%H%M) > 0001 && $(date +%H%M) < 2356 ]] && return 0
    done
}

# The game: a counter on the screen, and a child that left its parents (a double fork) and counts beside it.
write_programs() {
    cat >"$world/bin/counter" <<'END'
#!/usr/bin/perl
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);
my ($file, $shown) = @ARGV;
$| = 1;
open(my $pid, '>', "$file.pid"); print $pid $$; close($pid);
open(my $count, '>>', $file);
for (my $n = 1; ; $n++) {
    syswrite($count, sprintf("%d %d\n", $n, clock_gettime(CLOCK_MONOTONIC) * 1000));
    print "\r\n  marbles moved: $n\e[A" if $shown;
    select(undef, undef, undef, 0.05);
}
END
    cat >"$world/bin/marbles" <<END
#!/bin/sh
setsid -f "$world/bin/counter" "$world/music"
exec "$world/bin/counter" "$world/moves" shown
END
    printf '#!/bin/sh\nexec cat >"%s"\n' "$world/notes" >"$world/bin/notes"
    chmod +x "$world/bin/counter" "$world/bin/marbles" "$world/bin/notes"
}

open_services() {
    start_processes "${services[@]}" "$agent" || fail 69 "it did not start; the reason is above."
    # From now on all spans of all services are recorded.
    spans=$world/spans.out
    start_desktop_program spans "$products/screentime" trace --follow --format json
    run status
    open_app "$game" +20+20
    await_line "$desktop_seconds" '^5 ' "$world/music" >/dev/null || fail 1 "the game does not play."
    focus "$writing"
    note "the game runs: $(count moves) marbles moved; its double-forked child is process $(<"$world/music.pid")"
    child_is_found=yes
    if ! forks_are_reported; then
        child_is_found=
        note "the kernel reports no forks here, as in a container: that child is not found, and is not stopped"
    fi
}

# `doctor` ends with an error for whatever it finds; only this finding matters here.
forks_are_reported() { grep -qF '"process events","state":"ok"' <<<"$(screentime doctor --json || true)"; }

# The last number of a counter.
count() { tail -n 1 "$world/$1" | cut -d ' ' -f 1; }

ask_permission() {
    local asking
    note "Focus Coach, an app, asks for permission to act for the person"
    screentime authorization request --for individual --client "$coach" --name "Focus Coach" --timeout 60s \
        >"$world/asking.out" 2>"$world/asking.err" &
    asking=$!
    await_notification || fail 1 "the question did not appear on the screen."
    run notifications
    take_picture 1-question
    note "the person presses Approve on the notification"
    dunstctl action 0
    wait "$asking" || fail 1 "the app was not approved: $(cat "$world/asking.err")"
    sed 's/^/    /' "$world/asking.out"
    require "the app was approved" grep -q approved "$world/asking.out"
    dunstctl close-all
    run authorization request --for individual --client "$coach"
    held "approved apps are not asked again: the second request succeeded immediately"
}

# Waits for the window of a notification.
await_notification() {
    timeout "$desktop_seconds" xdotool search --sync --onlyvisible --class Dunst >/dev/null
}

# shield-cover's, which the notification leaves it to.
await_banner() {
    timeout "$desktop_seconds" xdotool search --sync --onlyvisible --class org.screentime.ShieldCover >/dev/null
}

set_limit() {
    local now
    now=$(date +%s)
    end_second=$((now + interval_seconds))
    words='Tea is ready in 3 s <b>& cake</b>: you said so yourself.'
    write_policy "$world/limit.json" $((now - 5)) "$end_second"
    sed 's/^/    /' "$world/limit.json"
    run monitor start "$world/limit.json"
    run monitor list
}

# usage: write_policy FILE FROM TO     seconds since 1970, as local hours, minutes and seconds of today
write_policy() {
    local -a from to
    read -ra from <<<"$(date -d "@$2" +'%-H %-M %-S')"
    read -ra to <<<"$(date -d "@$3" +'%-H %-M %-S')"
    cat >"$1" <<END
{"activities":[{"name":"evening",
  "schedule":{"intervalStart":{"hour":${from[0]},"minute":${from[1]},"second":${from[2]}},
              "intervalEnd":{"hour":${to[0]},"minute":${to[1]},"second":${to[2]}},
              "repeats":false,"warningTime":{"second":3}},
  "events":[{"name":"marbles","applications":["$game"],"threshold":{"second":6},
             "message":"$words"}]}]}
END
}

play() {
    note "three times between the apps, as people do; the person writes a line"
    local round
    for round in 1 2 3; do
        focus "$game"
        focus "$writing"
    done
    xdotool type --delay 30 $'Only a short game today.\n'
    focus "$game"
    note "now the game stays in the foreground; $(count moves) marbles moved"
    await_span activity.eventWillReachThresholdWarning || fail 1 "no warning came."
    held "three seconds before the limit activity-center warned"
    await_banner || fail 1 "the warning did not appear on the screen."
    take_picture 2-warning
    run notifications
    require "the notification is the person's own words, literally, with their < and &" words_were_posted
}

words_were_posted() { screentime notifications --json | grep -qF -- "$words"; }

# Waits for a message of this name on the bus, and prints its span.
await_span() { await_line "$desktop_seconds" "\"name\":\"$1\"" "$spans" >"$world/span"; }

# How often the buttons of covers took keys and clicks from then on.
count_buttons() {
    screentime trace --last 1000 --format json | { grep -oE '"name":"buttons"[^}]*"outcome":"ok"' || true; } | wc -l
}

# Waits until they did so often. Who listens to a process that has just started may miss its first spans.
await_buttons() {
    local end=$((SECONDS + desktop_seconds))
    until (($(count_buttons) >= $1)); do
        ((SECONDS < end)) || fail 1 "its cover takes no keys."
    done
}

check_frozen() {
    await_span activity.eventDidReachThreshold || fail 1 "the limit was not reached."
    held "six seconds of use: activity-center computed the crossing"
    await_line "$desktop_seconds" "$frozen_line" "$logs/$agent.log" >/dev/null || fail 1 "nothing was frozen."
    frozen_moves=$(count moves) frozen_music=$(count music)
    run shield list
    run shield explain "$game"
    show_states
    await_line "$desktop_seconds" "$covered_line" "$logs/$cover.log" >/dev/null || fail 1 "nothing was covered."
    # For a moment its buttons look as they are: they take no keys and clicks yet.
    await_buttons 1
    take_picture 3-covered
    held "a cover is over the game's window, and says why"
    note "the game is frozen at $frozen_moves; meanwhile the person continues writing"
    focus "$writing"
    xdotool type --delay 30 $'The game stands still, and nothing of it is lost.\n'
    require "the game's counter does not advance: $frozen_moves" test "$(count moves)" = "$frozen_moves"
    if [[ -n $child_is_found ]]; then
        require "its double-forked child does not advance: $frozen_music" test "$(count music)" = "$frozen_music"
    fi
}

ask_for_more_time() {
    local id times
    dunstctl close-all
    times=$(count_buttons)
    focus "$game"
    # It takes no key before there was none for a second.
    await_buttons $((times + 1))
    note "its cover has the focus; by the keyboard alone: more time, 15 minutes"
    xdotool key --delay 100 Tab Return
    # The page opens on the reason; 15 minutes is next.
    await_buttons $((times + 2))
    take_picture 4-more-time
    xdotool key --delay 100 Tab Return
    await_span request.create || fail 1 "nothing was asked for."
    run requests
    id=$(screentime requests --json | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')
    note "one's own request can be approved after a delay of one's own choice; denied at any time"
    run requests deny "$id" --say "After dinner."
    require "the answer is known" grep -qF '"state":"denied"' <<<"$(screentime requests --json)"
}

take_a_minute() {
    run request "app:$game" --one-more-minute
    await_line "$desktop_seconds" "$thawed_line" "$logs/$agent.log" >/dev/null || fail 1 "the minute did not begin."
    await_line "$desktop_seconds" "^$((frozen_moves + 20)) " "$world/moves" >/dev/null ||
        fail 1 "the game does not continue."
    held "the cover went, and the game continues at $frozen_moves"
    run exceptions
    run shield explain "$game"
    note "the person has seen enough, and ends the minute before it is over"
    run exceptions end "$(screentime exceptions --json | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')"
    await_line "$desktop_seconds" "$frozen_line" "$logs/$agent.log" 2 >/dev/null || fail 1 "nothing was frozen again."
    frozen_moves=$(count moves) frozen_music=$(count music)
    held "the cover is back; the game stands still at $frozen_moves"
    run requests
}

show_states() {
    local name pid
    for name in moves music; do
        pid=$(<"$world/$name.pid")
        note "process $pid ($name): $(sed -n 's/^State:\t//p' "/proc/$pid/status")"
    done
}

check_thawed() {
    local left=$((end_second - $(date +%s)))
    note "the interval ends in $left s"
    await_line $((left + desktop_seconds)) "$thawed_line" "$logs/$agent.log" 2 >/dev/null || fail 1 "nothing was thawed."
    await_line "$desktop_seconds" "^$((frozen_moves + 20)) " "$world/moves" >/dev/null ||
        fail 1 "the game does not continue."
    await_line "$desktop_seconds" "^$((frozen_music + 20)) " "$world/music" >/dev/null ||
        fail 1 "the game's child does not continue."
    show_states
    require "moves: 1, 2, 3 … $(count moves) without a gap; it was stopped for $(longest_pause moves)" gapless moves
    require "music: 1, 2, 3 … $(count music) without a gap; it was stopped for $(longest_pause music)" gapless music
    run shield list
}

gapless() { awk '$1 != NR { exit 1 }' "$world/$1"; }

# The longest time between two lines of a counter, in seconds.
longest_pause() {
    awk 'NR > 1 && $2 - last > longest { longest = $2 - last } { last = $2 }
        END { printf "%.1f s\n", longest / 1000 }' "$world/$1"
}

report_use() {
    run report
    run report --by total
    local used_ms
    used_ms=$(screentime report --format csv | awk -F , -v app="$game" '$2 == app { print $3 }')
    require "the game's time is in the report: ${used_ms:-0} ms, six seconds at least" test "${used_ms:-0}" -ge 6000
}

show_trace() {
    await_span shield.freeze || fail 1 "no freeze was recorded."
    local trace
    trace=$(sed -nE 's/.*"trace_id":"([0-9a-f]+)".*/\1/p' "$world/span" | head -n 1)
    screentime trace --trace "$trace" >"$world/trace"
    sed 's/^/    /' "$world/trace"
    local name
    for name in "$agent" usage.observe activity.eventDidReachThreshold settings.write notification.post shield.applied \
        shield.freeze; do
        require "the trace shows $name" grep -qF "$name" "$world/trace"
    done
}

close_services() {
    stop_processes "${services[@]}" "$agent"
    local before
    before=$(count moves)
    await_line "$desktop_seconds" "^$((before + 5)) " "$world/moves" >/dev/null || fail 1 "the game was left frozen."
    held "the game continues without them: nothing is left frozen"
    require "no process of screentime is left" test -z "$(running)"
}

# At any end: stops all processes and removes the directory.
end_story() {
    local code=$1 name
    trap '' INT TERM
    if ((code != 0)); then
        heading "${red}The story ended early (exit code $code).$plain"
        for name in "${services[@]}" "$agent"; do
            grep -ahE '"level":"(error|warning)"' "$logs/$name.log" 2>/dev/null | tail -n 3 | sed 's/^/  /' || true
        done
    fi
    stop_processes "${services[@]}" "$agent" || true
    for name in moves music; do
        [[ -s $world/$name.pid ]] || continue
        kill -CONT "$(<"$world/$name.pid")" 2>/dev/null || true
        kill -TERM "$(<"$world/$name.pid")" 2>/dev/null || true
    done
    stop_desktop
    if [[ -n ${SCREENTIME_KEEP:-} ]]; then say "kept $world"; else rm -rf "$world"; fi
    exit "$code"
}
