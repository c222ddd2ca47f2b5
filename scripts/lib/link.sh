# shellcheck shell=bash
# Links a build's programs again, with the modules that they share in a library. Within a package, SwiftPM links the
# modules of an executable statically, even beside a dynamic product of the same modules; then each process has pages of
# its own for the same code. Sourced, never run. The caller has $build, $staging, $place (where they will be) and scripts/lib/say.sh.

# What the services, the agents and the command line share. Not the modules that need a library of the system which most
# of them do not load: DBus (libsystemd), Domains (libpsl), DesktopCore (XCB, GIO), CoverCore (GTK).
readonly modules_of_services="Units JSON Contract Rules Schedules Monitoring Time CClock FileAccess Loop Store Bus \
ServiceKit ExtensionLink Hosting ClockDriver CAccept CStandardFiles"
# What the built-in apps and their extension programs share. No process loads both libraries.
readonly modules_of_frameworks="Units JSON Contract Rules Schedules Time CClock FileAccess ExtensionLink ProgramLog \
CommandKit AppSupport FoundationExtras Combine os OSLog _Testing_UIKit UIKit SwiftUI Charts UserNotifications \
ManagedSettings ManagedSettingsUI FamilyControls DeviceActivity CPNG CProgramEnd CStandardFiles"

# usage: link_group LIBRARY MODULES PROGRAM…    into $staging
link_group() {
    local library=$1 lists=$staging/lists modules program
    modules=$(printf '/%s.build/\n' $2)
    shift 2
    mkdir -p "$lists"
    for program in "$@"; do cat "$build/$program.product/Objects.LinkFileList"; done | sort -u |
        grep -F "$modules" >"$lists/$library"
    link_library "$library"
    printf '%s\n' "$@" | xargs -P "$(nproc)" -I '{}' bash -c 'link_program "$@"' install.sh '{}' "$library" "$modules" ||
        fail 70 "a program could not be linked; what the linker said is above."
    symbols --defined-only "$staging/$library" >"$lists/defined"
    (cd "$staging" && symbols --undefined-only "$@") >"$lists/wanted"
    list_exports "$lists" >"$lists/exports"
    link_library "$library" -Xlinker "--version-script=$lists/exports"
    symbols --defined-only "$staging/$library" | comm -13 - <(comm -12 "$lists/defined" "$lists/wanted") >"$lists/lost"
    [[ ! -s $lists/lost ]] || fail 70 "'$library' does not export '$(head -n 1 "$lists/lost")', which a program uses."
    rm -r "$lists"
}

# usage: link_library LIBRARY [ARGUMENT…]    for the linker
link_library() {
    local library=$1
    shift
    link_with -emit-library -o "$staging/$library" -module-name shared -Xlinker "-soname=$library" \
        -Xlinker -Bsymbolic "@$staging/lists/$library" "$@"
}

# Names of the dynamic symbols of files. usage: symbols --defined-only|--undefined-only FILE…
symbols() {
    nm --dynamic --format=posix --no-sort "$@" | awk 'NF > 1 { sub(/@.*/, "", $1); print $1 }' | sort -u ||
        fail 70 "the symbols of '$2' cannot be read."
}

# A version script with what the programs use of the library, and with all names that are not Swift's: by some of them the
# library replaces functions of libc for the libraries of the system. The names of all the rest are a megabyte that each
# start reads. usage: list_exports LISTS
list_exports() {
    echo '{ global:'
    { comm -12 "$1/defined" "$1/wanted" && grep -v '^\$s' "$1/defined"; } | sort -u | sed 's/.*/"&";/'
    echo 'local: *; };'
}

# usage: link_program NAME LIBRARY MODULES
# The directory itself is named, too, because the loader ignores $ORIGIN in programs with capabilities of their own.
link_program() {
    local name=$1 library=$2 modules=$3
    grep -vF "$modules" "$build/$name.product/Objects.LinkFileList" >"$staging/lists/$name"
    link_with -emit-executable -o "$staging/$name" -module-name "${name//-/_}" \
        -Xlinker --defsym -Xlinker "main=${name//-/_}_main" -Xlinker "-rpath=\$ORIGIN" -Xlinker "-rpath=$place" \
        "@$staging/lists/$name" -L "$staging" "-l:$library"
}

# As SwiftPM links, without debug information, and without the libraries that are imported and not used. swiftc puts each
# -Xlinker behind the libraries, where --as-needed does nothing; clang's variable puts it before them. The named symbols
# are those by which shield-cover replaces functions of Xlib; a program without them has nothing to export.
link_with() {
    CCC_OVERRIDE_OPTIONS='# ^-Wl,--as-needed' swiftc "$@" -L "$build" -Xlinker --gc-sections -Xlinker --strip-debug \
        -Xlinker --export-dynamic-symbol=XMapWindow -Xlinker --export-dynamic-symbol=XSendEvent \
        -Xlinker --export-dynamic-symbol=XSetErrorHandler ||
        fail 70 "'$(basename "$3")' could not be linked; what the linker said is above."
}

# Without its names GTK calls Xlib's own: covers are raised and take the focus, and an error of the display ends the
# process. Without the others libzmq calls libc's: no connection is known, and every write is refused.
# usage: refuse_unexported FILE NAME…
refuse_unexported() {
    local file=$1 exported name
    shift
    exported=$(symbols --defined-only "$staging/$file")
    for name in "$@"; do
        grep -qxF "$name" <<<"$exported" || fail 70 "'$file' does not export $name, which must replace a library's."
    done
}

# Foundation takes 2 MB and more of each process that loads it, _StringProcessing 280 kB.
refuse_needless() {
    local name needed
    for name in "$@"; do
        needed=$(readelf -d "$staging/$name" "$staging/libscreentime-services.so") || fail 70 "'$name' cannot be read."
        # libswiftDispatch loads _StringProcessing.
        [[ ! $needed =~ NEEDED[^$'\n']*(Foundation|_StringProcessing|swiftDispatch) ]] ||
            fail 70 "'$name' loads ${BASH_REMATCH[1]}; services do without (ARCHITECTURE.md, Rooms)."
    done
}

export build staging place
export -f link_program link_with fail
