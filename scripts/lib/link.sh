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
    link_with -emit-library -o "$staging/$library" -module-name shared -Xlinker "-soname=$library" \
        -Xlinker -Bsymbolic "@$lists/$library"
    printf '%s\n' "$@" | xargs -P "$(nproc)" -I '{}' bash -c 'link_program "$@"' install.sh '{}' "$library" "$modules" ||
        fail 70 "a program could not be linked; what the linker said is above."
    rm -r "$lists"
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

# Without them GTK calls Xlib's own: covers are raised and take the focus, and an error of the display ends the process.
refuse_without_gate() {
    local symbols name
    symbols=$(readelf --wide --dyn-syms "$staging/shield-cover") || fail 70 "'shield-cover' cannot be read."
    for name in XMapWindow XSendEvent XSetErrorHandler; do
        [[ $symbols =~ FUNC[^$'\n']*GLOBAL\ (DEFAULT|PROTECTED)\ +[0-9]+\ $name ]] ||
            fail 70 "'shield-cover' does not export $name, which must replace Xlib's."
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
