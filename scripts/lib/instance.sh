# One instance of the system: its directories, and its processes by the locks they hold. Sourced, never run.
# shellcheck shell=bash

# In the order of ServiceName.startOrder; they are stopped in reverse.
services=(auth-service activity-center shield-service notifier report-service monitor-runner)
agent=desktop-agent
# The agent's second process; it ends by itself.
guard=desktop-guard
# Draws covers, for the agent, which starts and stops it; it outlives a killed agent.
cover=shield-cover
# Serves the page that people use.
console=console

# Seconds for a process to become ready, and to stop; and to wait for another start or stop here.
ready_seconds=60
stop_seconds=20
turn_seconds=180
has_turn=no

# Pid by name, of the processes that this script started.
declare -A started=()
# Pid of the agent that a guard started in the place of one of these; empty if there is none.
restarted=''

# All directories, by the rules of Shared/Service/ServiceKit/Configuration.swift.
locate_instance() {
    runtime=${SCREENTIME_RUNTIME_DIR:-${XDG_RUNTIME_DIR:+$XDG_RUNTIME_DIR/screentime}}
    runtime=${runtime:-/run/screentime}
    if [[ -n ${SCREENTIME_STATE_DIR:-} ]]; then
        state=$SCREENTIME_STATE_DIR
    elif [[ -n ${XDG_STATE_HOME:-} ]]; then
        state=$XDG_STATE_HOME/screentime
    elif ((EUID != 0)) && [[ -n ${HOME:-} ]]; then
        state=$HOME/.local/state/screentime
    else
        state=/var/lib/screentime
    fi
    logs=${SCREENTIME_LOG_DIR:-$state/logs}
    local key
    for key in runtime state logs; do
        [[ ${!key} == /* ]] || fail 78 "'${!key}' is not an absolute path; correct SCREENTIME_${key^^}_DIR."
    done
}

# Fails unless the directories are missing, or belong to this user and are accessible.
require_own_directories() {
    local directory place
    for directory in "$runtime" "$state" "$logs"; do
        place=$directory
        until [[ -e $place ]]; do place=$(dirname -- "$place"); done
        [[ -x $place && ($place != "$directory" || (-r $place && -w $place)) || ! -d $place ]] ||
            fail 77 "'$place' ($(stat -c 'of %U, mode %a' -- "$place")) is not accessible for $(id -un). Run this as its owner, or" \
                "set SCREENTIME_RUNTIME_DIR and SCREENTIME_STATE_DIR to directories of your own."
    done
}

# NAME's second lock, which it holds as long as the one in the runtime directory. That one can be removed while it runs:
# at the end of a login session, by a cleaner of /tmp.
kept_lock() {
    if [[ $1 == "$agent" || $1 == "$console" ]]; then printf '%s' "$state/$1.lock"; else printf '%s' "$state/$1/$1.sqlite3.lock"; fi
}

# The pid of the process NAME, which holds one of its locks; fails if there is none.
holder() { lock_holder "$1" "$runtime/$1.lock" || lock_holder "$1" "$(kept_lock "$1")"; }

# The same if only the lock in the state directory is held: it cannot be found in the runtime directory.
lost_holder() { lock_holder "$1" "$(kept_lock "$1")" && ! lock_holder "$1" "$runtime/$1.lock" >/dev/null; }

refuse_lost() {
    local name pid
    for name in "${services[@]}" "$console" "$agent"; do
        if pid=$(lost_holder "$name"); then
            fail 69 "$name (pid $pid) runs on '$state', but has no lock in '$runtime': that was removed, or it was started" \
                "with another SCREENTIME_RUNTIME_DIR. Stop it first: scripts/run-all.sh --stop"
        fi
    done
}

# The pid of the process NAME that holds the lock FILE; fails if there is none. Reads the kernel's table, because a pid
# in a file may belong to another process now, and trying the lock could keep its owner from starting. The table is read
# in parts, and may lack a held lock if another one is released meanwhile; so it is read up to three times.
lock_holder() {
    local file=$2 inode pid
    inode=$(stat -c %i -- "$file" 2>/dev/null) || return 1
    for _ in 1 2 3; do
        # proc(5): "1: FLOCK ADVISORY WRITE 1234 08:01:131 0 EOF"
        while read -r pid; do
            if [[ $(readlink "/proc/$pid/exe" 2>/dev/null) =~ /$1(\ \(deleted\))?$ ]] && has_open "$pid" "$file"; then
                printf '%s\n' "$pid"
                return 0
            fi
        done < <(awk -v inode="$inode" '$2 == "FLOCK" && $6 ~ ":" inode "$" { print $5 }' /proc/locks)
    done
    return 1
}

# Whether the process PID has FILE open. Inode numbers are unique only within one file system.
has_open() {
    local entry
    for entry in /proc/"$1"/fd/*; do
        if [[ $entry -ef $2 ]]; then return 0; fi
    done
    return 1
}

# The names of running processes, in the order of start.
running() {
    local name
    for name in "${services[@]}" "$console" "$agent"; do
        if holder "$name" >/dev/null; then printf '%s\n' "$name"; fi
    done
}

# A regular file that only this user can read: output before the log is open may be private.
private_file() {
    local path=$1
    if [[ -L $path || (-e $path && ! -f $path) ]]; then
        fail 73 "'$path' is not a regular file. Move it away; it is created again."
    fi
    (umask 077 && : >>"$path") && chmod 600 -- "$path" || fail 73 "'$path' cannot be written."
}

# This script and its ancestors, as PID:START, nearest first (START: field 22 of proc(5)'s stat). Processes that outlive
# this script must not freeze them: the person could not stop screentime without the terminal it was started from.
starter_chain() {
    local pid=$$ chain='' line
    local -a fields
    while ((pid > 1)); do
        # A name in parentheses may contain blanks.
        line=$(cat "/proc/$pid/stat" 2>/dev/null) && read -r -a fields <<<"${line##*) }" || break
        chain+="$pid:${fields[19]} "
        pid=${fields[1]}
    done
    printf '%s' "${chain% }"
}

# One script at a time starts or stops processes on these directories, because a starting process holds no lock yet and
# would be missed. The turn is a lock of the state directory itself, which needs no file and survives the removal of the
# runtime directory; descriptor 9 holds it until this script ends, or before.
take_turn() {
    local directory=$state
    [[ $has_turn == no ]] || return 0
    [[ -d $directory ]] || directory=$runtime
    exec 9<"$directory"
    if ! flock -n 9; then
        say "Another run-all.sh ($(turn_holders "$directory")) starts or stops here; waiting until it is done."
        flock -w "$turn_seconds" 9 ||
            fail 75 "another run-all.sh ($(turn_holders "$directory")) still keeps '$directory' after $turn_seconds s." \
                "Try again later; continue a stopped one with kill -CONT."
    fi
    has_turn=yes
}

# The holders of the turn, as text. The kernel's table names the process that took the lock, which may have ended and
# left it to others; so the open files are read.
turn_holders() {
    local entry pid words=''
    while IFS= read -r entry; do
        pid=${entry#/proc/} pid=${pid%%/*}
        grep -q FLOCK "${entry/"/fd/"/"/fdinfo/"}" 2>/dev/null || continue
        words+="${words:+; }pid $pid"
        if grep -q '^State:.T' "/proc/$pid/status" 2>/dev/null; then words+=", stopped"; fi
    done < <(find -L /proc/[0-9]*/fd -maxdepth 1 -samefile "$1" 2>/dev/null)
    printf '%s' "${words:-of a process that is not seen here, or ended just now}"
}

end_turn() {
    has_turn=no
    exec 9<&-
}

# Starts one executable in a separate session (Ctrl-C only reaches this script) and waits for its READY. If it ends
# before that, the pipe closes and the wait ends.
start_process() {
    local name=$1 begin=$EPOCHREALTIME line pipe reader writer errors=$logs/$1.stderr code=0
    private_file "$errors"
    # Unlinked, so that a killed script leaves no file, and no process waits to open it.
    exec {pipe}<> <(:)
    exec {reader}<"/dev/fd/$pipe" {writer}>"/dev/fd/$pipe" {pipe}<&-
    # Close the turn's descriptor first; the process would keep it.
    setsid "$products/$name" 9<&- {reader}<&- </dev/null >&"$writer" {writer}>&- 2>>"$errors" &
    started[$name]=$!
    exec {writer}>&-
    while IFS= read -r -t "$ready_seconds" -u "$reader" line || { code=$?; false; }; do
        [[ $line == READY* ]] && break
    done
    exec {reader}<&-
    if ((code == 0)); then
        say "  READY  $name$(printf '%*s' $((16 - ${#name})) '') pid ${started[$name]}, after $(milliseconds "$begin") ms"
        return 0
    fi
    if ((code > 128)); then
        say "  $name was not ready within $ready_seconds s."
        kill -KILL "${started[$name]}" 2>/dev/null || true
    fi
    wait "${started[$name]}" 2>/dev/null || code=$?
    unset "started[$name]"
    last_words "$name" "$code"
    return 1
}

milliseconds() {
    local now=${EPOCHREALTIME/./} begin=${1/./}
    printf '%d' $(((now - begin) / 1000))
}

# Prints the last output of an ended process.
last_words() {
    local name=$1 code=$2
    if ((code > 128)); then
        say "$red$name was ended by SIG$(kill -l $((code - 128))).$plain Its last output:"
    else
        say "$red$name ended with exit code $code.$plain Its last output:"
    fi
    tail -n 3 "$logs/$name.stderr" 2>/dev/null | sed 's/^/    /' || true
    tail -n 3 "$logs/$name.log" 2>/dev/null | sed 's/^/    /' || true
}

make_directories() {
    local directory
    for directory in "$runtime" "$state" "$logs"; do
        (umask 077 && mkdir -p -- "$directory") || fail 73 "the directory '$directory' cannot be created."
    done
}

# Starts the named processes that do not run, in order. If one fails, stops those that this call started.
start_processes() {
    local name pid
    make_directories
    SCREENTIME_STARTED_BY=$(starter_chain)
    export SCREENTIME_STARTED_BY
    for name in "$@"; do
        if pid=$(holder "$name"); then
            say "  runs   $name$(printf '%*s' $((16 - ${#name})) '') pid $pid, already"
        elif ! start_process "$name"; then
            stop_processes "${!started[@]}"
            return 1
        fi
    done
}

# Stops the named processes that run, in reverse order of start. Each has ended before the next one is stopped: this
# waits for the lock, which the kernel releases when its holder ends.
stop_processes() {
    local wanted=" $* " order=("${services[@]}" "$console" "$cover" "$agent") index name pid
    for ((index = ${#order[@]} - 1; index >= 0; index--)); do
        name=${order[index]}
        [[ $wanted == *" $name "* ]] || continue
        if pid=$(holder "$name"); then
            # A stopped process receives SIGTERM only when it is continued.
            kill -TERM "$pid" 2>/dev/null && kill -CONT "$pid" 2>/dev/null || true
        elif grep -qxF "${started[$name]:-none}" < <(jobs -rp); then
            # It is starting: it holds no lock, and has acknowledged nothing.
            pid=${started[$name]}
            kill -KILL "$pid" 2>/dev/null || true
        else
            continue
        fi
        if await_release "$name"; then
            say "  stopped $name"
        else
            say "  $name (pid $pid) did not stop within $stop_seconds s: killed. Acknowledged data is stored."
            kill -KILL "$pid" 2>/dev/null || true
            await_release "$name" || say "  $name could not even be killed."
        fi
        [[ -n ${started[$name]:-} ]] && wait "${started[$name]}" 2>/dev/null || true
        unset "started[$name]"
    done
}

# Waits until no lock of NAME is held.
await_release() {
    local file
    for file in "$runtime/$1.lock" "$(kept_lock "$1")"; do
        [[ ! -e $file ]] || flock -w "$stop_seconds" "$file" true || return 1
    done
}

# Stops the named processes that run: the agent first, then thaws what is left frozen, then the services.
# Fails if any of them is left, and prints which.
stop_all() {
    local result=0 name
    local -a left=() others=()
    take_turn
    if [[ " $* " == *" $agent "* ]]; then stop_processes "$agent"; fi
    # A running agent owns what is frozen.
    holder "$agent" >/dev/null || thaw_left || result=1
    # Thaw, then uncover.
    if [[ " $* " == *" $agent "* ]]; then stop_processes "$cover"; fi
    stop_processes "$@"
    for name in $(running); do
        if [[ " $* " == *" $name "* ]]; then left+=("$name"); else others+=("$name"); fi
    done
    if ((${#left[@]} > 0)); then
        result=1
        say "${red}Still running, or started again meanwhile: ${left[*]}. Stop again, or see scripts/run-all.sh --status.$plain"
    fi
    if ((result == 0 && ${#others[@]} > 0)); then
        say "Stopped what was started here. Still running: ${others[*]}."
    elif ((result == 0)); then
        say "Stopped. Nothing is left running or frozen."
    else
        say "${red}Stopped, but something may be left; see above.$plain"
    fi
    return $result
}

# Thaws what is still frozen by shield-service's record, because an agent that was killed together with its guard thaws
# nothing. Prints what it found; fails if it cannot read the record, or cannot thaw.
thaw_left() {
    local pid words directory=$products borrowed=no result=0
    await_guard
    something_stands_still && [[ -e $state/shield-service/shield-service.sqlite3 ]] || return 0
    # It cannot be reached any more: another shield-service reads its record.
    if lost_holder shield-service >/dev/null; then stop_processes shield-service; fi
    if pid=$(holder shield-service); then
        directory=$(dirname "$(readlink "/proc/$pid/exe")")
    elif [[ -x $products/shield-service ]] && start_processes shield-service >/dev/null; then
        borrowed=yes
    else
        say "shield-service, which knows what is frozen, cannot be started: see $logs/shield-service.stderr"
        return 1
    fi
    words=$("$directory/$agent" --thaw 2>&1) || result=1
    [[ -z $words ]] || say "  ${words//$'\n'/$'\n'  }"
    if [[ $borrowed == yes ]]; then stop_processes shield-service >/dev/null; fi
    return $result
}

# The guard of a killed agent thaws everything; it holds its lock until it ends.
await_guard() {
    local pid lock=$state/$guard.lock
    [[ -e $lock ]] || return 0
    if pid=$(lock_holder "$guard" "$lock"); then kill -CONT "$pid" 2>/dev/null || true; fi
    flock -w "$stop_seconds" "$lock" true || say "  $guard did not end within $stop_seconds s."
}

# Whether any process of the machine is stopped, or any app's control group is frozen.
something_stands_still() {
    local mount
    # Processes end while they are read.
    grep -q '^T' < <(cat /proc/[0-9]*/stat 2>/dev/null | sed 's/^.*) //') && return 0
    mount=$(awk '$9 == "cgroup2" || $10 == "cgroup2" { print $5; exit }' /proc/self/mountinfo)
    [[ -n $mount ]] &&
        grep -q . < <(find "$mount" -path '*/app-*/cgroup.events' -exec grep -lsx 'frozen 1' {} + 2>/dev/null)
}

# Waits until all processes of this script have ended, and reports each that ended by itself.
# Returns 1 if one ended with an error.
watch_processes() {
    local ended code name result=0
    while ((${#started[@]} > 0)); do
        code=0
        # Hides bash's own message about a killed job; it is reported below.
        wait -n -p ended "${started[@]}" 2>/dev/null || code=$?
        [[ -n ${ended:-} ]] || continue
        for name in "${!started[@]}"; do
            [[ ${started[$name]} == "$ended" ]] || continue
            unset "started[$name]"
            if ((code == 0)); then
                say "$name was stopped."
            else
                result=1
                last_words "$name" "$code"
                if [[ $name == "$agent" ]]; then
                    await_guard
                    if restarted=$(holder "$agent"); then
                        say "  Its guard started it again: pid $restarted."
                        continue
                    fi
                    thaw_left || true
                fi
                say "  The others keep running. Start it again with: scripts/run-all.sh --detach --no-build"
            fi
        done
    done
    return $result
}
