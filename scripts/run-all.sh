#!/usr/bin/env bash
# Starts the whole system, watches it, stops it. See --help.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
configuration=${SCREENTIME_BUILD:-release}
# A release build is installed inside the checkout, so that processes share libraries.
products=$root/.build/$configuration
[[ $configuration == debug ]] || products=$root/.build/screentime
# shellcheck source-path=SCRIPTDIR source=lib/say.sh
source "$root/scripts/lib/say.sh"
# shellcheck source-path=SCRIPTDIR source=lib/setup.sh
source "$root/scripts/lib/setup.sh"
# shellcheck source-path=SCRIPTDIR source=lib/instance.sh
source "$root/scripts/lib/instance.sh"

help() {
    cat <<'END'
usage: scripts/run-all.sh [--detach] [--no-agent] [--no-build] [--virtual-clock INSTANT]
       scripts/run-all.sh --stop | --status | --virtual-desktop | --help

Checks for Swift, installs the packages that are missing, builds (release), starts the six services, the console and,
with a display, the desktop agent, waits until each is READY, and stays until Ctrl-C stops them in reverse order. What
runs already is left as it is; where all of it does, there is nothing to stay for.

  --detach           return when all are READY; stop them later with --stop
  --stop             stop what runs on these directories, in reverse order, and thaw what a killed agent left frozen
  --status           tell what runs; exit code 69 if a service is down, or a service or the agent does not act
  --no-agent         without the desktop agent: nothing is measured or shielded on this desktop
  --no-build         start what is built, install no packages
  --virtual-clock INSTANT
                     let the whole system live by a clock that begins at INSTANT (2026-03-29T00:30:00Z) and stands
                     until `screentime clock advance` moves it; only on fresh directories
  --virtual-desktop  show the whole story in about a minute, on a virtual desktop
  --help             this text

Directories: SCREENTIME_RUNTIME_DIR (sockets; default $XDG_RUNTIME_DIR/screentime, else /run/screentime),
SCREENTIME_STATE_DIR (databases; default $XDG_STATE_HOME/screentime, else ~/.local/state/screentime, for root
/var/lib/screentime), SCREENTIME_LOG_DIR (default: logs, in the state directory). Other directories, other instance:
many can run side by side. SCREENTIME_CONSOLE_PORT: the console's port (default 17276, or any if that is taken). SCREENTIME_SKIP_PACKAGES=1: install nothing. SCREENTIME_BUILD=debug: the debug build.

Exit codes: 0 done; 1 a service ended with an error, or something is left running or frozen; 64 wrong usage;
69 something needed is missing or a service did not become ready; 70 the build failed; 73 a directory cannot be made;
75 another run-all.sh is running here; 77 a directory belongs to another user; 78 a wrong directory.
END
}

mode=foreground with_agent=yes with_build=yes virtual_from=''
while (($# > 0)); do
    argument=$1
    shift
    case $argument in
        --virtual-clock)
            (($# > 0)) || fail 64 "--virtual-clock needs an instant, for example 2026-03-29T00:30:00Z."
            virtual_from=$1
            shift
            ;;
        --detach | --stop | --status | --virtual-desktop)
            [[ $mode == foreground ]] || fail 64 "--$mode and $argument cannot be combined; see --help."
            mode=${argument#--}
            ;;
        --no-agent) with_agent=no ;;
        --no-build) with_build=no ;;
        --help | -h)
            help
            exit 0
            ;;
        *) fail 64 "'$argument' is not an option; see --help." ;;
    esac
done

require_products() {
    local name
    for name in "${services[@]}" "$console" "$agent" "$guard" "$cover" limits-monitor extension-launcher screentime; do
        [[ -x $products/$name ]] || fail 69 "missing: ${products#"$root/"}/$name; run this without --no-build."
    done
}

# With what `screentime extension` compiles with, which stays where it was built.
install_build() {
    [[ $configuration == release ]] || return 0
    "$root/scripts/install.sh" "$products"
    ln -sfn ../release/{Modules,PreviewMacros-tool,libScreenTime.a} "$products/"
}

prepare() {
    if [[ $with_build == yes ]]; then
        prepare_machine build run "$@"
        build "$configuration"
    fi
    install_build
    require_products
}

where_things_are() {
    heading "screentime runs"
    say "  sockets  $runtime"
    say "  state    $state"
    say "  logs     $logs"
    heading "Try next"
    say "  ${products#"$root/"}/screentime open                      the console, in the browser"
    say "  ${products#"$root/"}/screentime status"
    say "  ${products#"$root/"}/screentime report"
    say "  ${products#"$root/"}/screentime authorization request --for individual --client org.example.app"
    say "  ${products#"$root/"}/screentime monitor start --help      limits of your own, from a file"
    say "  ${products#"$root/"}/screentime trace --follow            the messages of the services, live"
}

all_run() {
    local name
    for name in "$@"; do
        holder "$name" >/dev/null || return 1
    done
}

# The names of the processes to run, in order.
choose_processes() {
    wanted=("${services[@]}" "$console")
    if [[ $with_agent == yes && -n ${DISPLAY:-} ]]; then wanted+=("$agent"); fi
}

say_without_agent() {
    if [[ $with_agent == no ]]; then
        heading "--no-agent: nothing is measured or shielded on this desktop."
    elif [[ -z ${DISPLAY:-} ]]; then
        heading "There is no display here (DISPLAY is not set), so no session is watched."
        say "To see the whole story on a virtual desktop: scripts/run-all.sh --virtual-desktop"
    fi
}

start() {
    local prepared=no
    choose_processes
    require_own_directories
    # Building takes long; another run-all.sh need not wait for it.
    if [[ ! -x $products/screentime ]] || ! all_run "${wanted[@]}"; then
        prepare
        prepared=yes
    fi
    make_directories
    take_turn
    # Before its turn, Ctrl-C only ends this script.
    trap 'interrupted 130' INT
    trap 'interrupted 143' TERM
    refuse_lost
    if all_run "${wanted[@]}"; then
        [[ -z $virtual_from ]] || fail 1 "it already runs on these directories; stop it, or advance its clock."
        say "It already runs on these directories:"
    else
        [[ $prepared == yes ]] || prepare
        heading "Starting"
        if [[ -n $virtual_from ]]; then
            "$products/screentime" clock start-virtual "$virtual_from" || fail 1 "the virtual clock did not start."
        fi
    fi
    start_processes "${wanted[@]}" || fail 69 "it did not start; the reason is above."
    all_run "${wanted[@]}" || fail 69 "not all of its processes still run; see scripts/run-all.sh --status and $logs."
    end_turn
    say_without_agent
    where_things_are
    say ""
}

# Waits for the processes started here.
stay() {
    local name here=''
    for name in "${wanted[@]}"; do here+=${started[$name]:+ $name}; done
    if ((${#started[@]} == $(running | wc -l))); then here=' everything'; else here=" what was started here:$here"; fi
    say "Ctrl-C stops$here."
    watch_processes
}

# Stops the processes started here, and ends this script.
interrupted() {
    # Pressing it again does not wait for the turn.
    trap - INT TERM
    local -a names=("${!started[@]}")
    if [[ -n $restarted ]]; then names+=("$agent"); fi
    ((${#names[@]} > 0)) || exit "$1"
    heading "Stopping"
    take_turn
    trap '' INT TERM
    stop_all "${names[@]}" || exit 1
    [[ $mode == foreground ]] || exit "$1"
    exit 0
}

stop() {
    local -a there
    require_own_directories
    if [[ -d $state || -d $runtime ]]; then take_turn; fi
    mapfile -t there < <(running)
    if ((${#there[@]} == 0)); then
        thaw_left || fail 1 "something may be left frozen; see above."
        say "Nothing runs on these directories ($runtime, $state), and nothing is left frozen."
        return 0
    fi
    stop_all "${services[@]}" "$console" "$agent" || exit 1
}

[[ $configuration =~ ^(release|debug)$ ]] ||
    fail 64 "the environment sets SCREENTIME_BUILD='$configuration'; allowed is release or debug."
locate_instance
# Continues if the reader of the output leaves. A handler, because an ignored signal stays ignored in the programs that
# are started.
trap : PIPE
case $mode in
    status)
        # Whichever build runs, both can ask it.
        for one in "$products" "$root"/.build/{release,debug}; do
            if [[ -x $one/screentime ]]; then exec "$one/screentime" status; fi
        done
        fail 69 "missing: ${products#"$root/"}/screentime; run this without --status."
        ;;
    stop) stop ;;
    virtual-desktop)
        # shellcheck source-path=SCRIPTDIR source=lib/desktop.sh
        source "$root/scripts/lib/desktop.sh"
        # shellcheck source-path=SCRIPTDIR source=lib/story.sh
        source "$root/scripts/lib/story.sh"
        # shellcheck source-path=SCRIPTDIR source=lib/apps.sh
        source "$root/scripts/lib/apps.sh"
        prepare desktop
        tell_story
        ;;
    detach | foreground)
        start
        if [[ $mode == foreground ]] && ((${#started[@]} > 0)); then
            stay
        else
            say "Stop it with: scripts/run-all.sh --stop"
        fi
        ;;
esac
