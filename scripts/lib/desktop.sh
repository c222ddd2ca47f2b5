# A virtual desktop: X server, window manager, session bus, notification daemon and two apps, with an instance
# of screentime of its own. Sourced, never run.
# shellcheck shell=bash

# Time limit in seconds for each step of the desktop; only failures take that long.
desktop_seconds=30

# Processes of the desktop in the order of their start.
desktop_pids=()

# Creates the instance's directory and sets the environment of all later processes.
make_world() {
    world=$(mktemp -d "${TMPDIR:-/tmp}/screentime-XXXXXX") || fail 73 "a temporary directory cannot be created."
    pictures=$root/.build/story
    mkdir -p "$pictures" "$world/bin" "$world/xdg-runtime" "$world/data/applications" "$world/services"
    chmod 700 "$world/xdg-runtime"
    unset WAYLAND_DISPLAY DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS SCREENTIME_LOG_DIR SCREENTIME_FAULT_DIR
    export HOME=$world XDG_RUNTIME_DIR=$world/xdg-runtime XDG_DATA_HOME=$world/data XDG_CACHE_HOME=$world/cache
    export XDG_CONFIG_HOME=$world/config XDG_STATE_HOME=$world/xdg-state LC_ALL=C.UTF-8 SHELL=/bin/sh
    export SCREENTIME_RUNTIME_DIR=$world/run SCREENTIME_STATE_DIR=$world/state
    locate_instance
}

# usage: start_desktop_program NAME COMMAND…     in a separate session, so that Ctrl-C only reaches this script
start_desktop_program() {
    local name=$1
    shift
    setsid "$@" </dev/null >"$world/$name.out" 2>&1 &
    desktop_pids+=($!)
}

start_desktop() {
    start_display
    start_session_bus
    start_window_manager
    write_dunst_configuration
    start_desktop_program dunst dunst -conf "$world/dunstrc"
    gdbus wait --session --timeout "$desktop_seconds" org.freedesktop.Notifications || desktop_failed dunst
}

desktop_failed() {
    tail -n 3 "$world/$1.out" >&2 || true
    fail 69 "$1 did not start on the virtual desktop; its last output is above."
}

# Xvfb chooses a free display number and prints it when it listens.
start_display() {
    local descriptor number=
    mkfifo "$world/number"
    setsid Xvfb -displayfd 3 -screen 0 1024x640x24 -nolisten tcp -noreset </dev/null \
        >"$world/Xvfb.out" 2>&1 3>"$world/number" &
    desktop_pids+=($!)
    exec {descriptor}<"$world/number"
    read -r -t "$desktop_seconds" -u "$descriptor" number || desktop_failed Xvfb
    exec {descriptor}<&-
    export DISPLAY=:$number
}

# A bus without activation, so that no daemon of the machine's desktop is started.
start_session_bus() {
    local descriptor address=
    cat >"$world/bus.conf" <<END
<busconfig><type>session</type><listen>unix:path=$world/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy></busconfig>
END
    mkfifo "$world/address"
    setsid dbus-daemon --config-file="$world/bus.conf" --print-address=3 --nofork </dev/null \
        >"$world/dbus-daemon.out" 2>&1 3>"$world/address" &
    desktop_pids+=($!)
    exec {descriptor}<"$world/address"
    read -r -t "$desktop_seconds" -u "$descriptor" address || desktop_failed dbus-daemon
    exec {descriptor}<&-
    export DBUS_SESSION_BUS_ADDRESS=unix:path=$world/bus
}

# openbox runs a program when it is ready.
start_window_manager() {
    local descriptor line=
    mkfifo "$world/managed"
    printf '#!/bin/sh\necho READY >"%s"\n' "$world/managed" >"$world/bin/managed"
    chmod +x "$world/bin/managed"
    start_desktop_program openbox openbox --sm-disable --startup "$world/bin/managed"
    exec {descriptor}<>"$world/managed"
    read -r -t "$desktop_seconds" -u "$descriptor" line || desktop_failed openbox
    exec {descriptor}<&-
}

# `dunstctl action` presses the button that this "menu" chooses, in place of the person.
write_dunst_configuration() {
    cat >"$world/dunstrc" <<'END'
[global]
    font = DejaVu Sans 13
    markup = full
    width = (300, 560)
    origin = top-right
    offset = 16x16
    notification_limit = 0
    stack_duplicates = false
    dmenu = grep -m1 Approve
    frame_width = 2
    separator_height = 8
[urgency_low]
    timeout = 0
[urgency_normal]
    timeout = 0
END
}

# usage: install_app ID NAME PROGRAM COLOUR     an app with a desktop entry and a window
install_app() {
    local id=$1 name=$2 program=$3 colour=$4
    cat >"$world/bin/$id" <<END
#!/bin/sh
exec xterm -class $id -name $id -title '$name' -fa 'DejaVu Sans Mono' -fs 16 -bg '$colour' -fg white \\
    -geometry 36x9\$1 -e $program
END
    chmod +x "$world/bin/$id"
    cat >"$world/data/applications/$id.desktop" <<END
[Desktop Entry]
Type=Application
Name=$name
Exec=$world/bin/$id
StartupWMClass=$id
Categories=$5;
END
}

# usage: open_app ID GEOMETRY     returns when its window is open; sets window[ID]
declare -A window=()
open_app() {
    start_desktop_program "$1" "$world/bin/$1" "$2"
    window[$1]=$(timeout "$desktop_seconds" xdotool search --sync --onlyvisible --class "$1" | head -n 1) || true
    [[ -n ${window[$1]} ]] || desktop_failed "$1"
}

focus() {
    local said
    # It fails if no window is active at that moment; only the final focus counts.
    said=$(timeout "$desktop_seconds" xdotool windowactivate --sync "${window[$1]}" 2>&1) ||
        fail 1 "$1 did not get the focus: $said"
}

# usage: take_picture NAME     of the whole screen
take_picture() {
    import -silent -window root "$pictures/$1.png"
    note "picture: ${pictures#"$root"/}/$1.png"
}

# Stops everything, last started first. The apps end when the X server closes their connections.
stop_desktop() {
    local index
    for ((index = ${#desktop_pids[@]} - 1; index >= 0; index--)); do
        kill -TERM "${desktop_pids[index]}" 2>/dev/null || true
        kill -CONT "${desktop_pids[index]}" 2>/dev/null || true
        wait "${desktop_pids[index]}" 2>/dev/null || true
    done
    desktop_pids=()
}
