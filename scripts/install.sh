#!/usr/bin/env bash
# Installs a release build into a directory; see --help.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source-path=SCRIPTDIR source=lib/say.sh
source "$root/scripts/lib/say.sh"
# shellcheck source-path=SCRIPTDIR source=lib/link.sh
source "$root/scripts/lib/link.sh"

help() {
    cat <<'END'
usage: scripts/install.sh DIRECTORY [BUILD]

Installs the services, the agents, the console, the command line and the built-in apps of a build (default: .build/release, by
`swift build -c release`) into DIRECTORY, which is what deploy/README.md expects in /usr/lib/screentime. The programs are
linked again, with what they share in two libraries, so that processes share its memory; debug information is left out.
Does nothing if nothing was built since. What runs from DIRECTORY goes on with the files that it has opened.

Exit codes: 0 installed; 64 wrong usage; 66 the build is missing; 69 a tool is missing; 70 linking failed; 73 DIRECTORY cannot be written.
END
}

case ${1:-} in
    --help | -h)
        help
        exit 0
        ;;
    "" | -*) fail 64 "usage: scripts/install.sh DIRECTORY [BUILD]; see --help." ;;
esac
(($# <= 2)) || fail 64 "'$3' is too much; see --help."
folder=$1
build=${2:-$root/.build/release}
[[ -d $build ]] || fail 66 "'$build' is missing; build with \`swift build -c release\`."
build=$(realpath "$build")

# The programs of Services: those that share the services' library, and those of the built-in apps.
of_services=(auth-service activity-center shield-service notifier report-service monitor-runner
    desktop-agent desktop-guard desktop-canary app-link console shield-cover screentime)
of_apps=()
for part in "$root"/Services/apps/*/*/; do
    app=$(basename "$(dirname "$part")") name=$(basename "$part")
    case $name in
        Core) ;;
        Main) of_apps+=("$app") ;;
        *) of_apps+=("$app-$name") ;;
    esac
done
# The console's pages, which are installed as console-web.
pages=$root/Services/hands/console/Web
# In C, and copied.
as_built=(extension-launcher libscreentime-clock.so libscreentime-program.so)

# The mark has the build, and what was installed.
is_current() {
    local name
    [[ -e $folder/.complete && $(head -n 1 "$folder/.complete") == "$build" ]] || return 1
    while read -r name; do [[ -e $folder/$name ]] || return 1; done < <(tail -n +2 "$folder/.complete")
    [[ -z $(find "$build/" "$root/scripts/install.sh" "$root/scripts/lib/link.sh" \
        -newer "$folder/.complete" \( -name '*.o' -o -name '*.sh' -o -name Objects.LinkFileList -o -name app.json \) \
        -print -quit) && -z $(find "$pages" -newer "$folder/.complete" -print -quit) ]]
}

require_tools() {
    local tool
    command -v swiftc >/dev/null || fail 69 "there is no 'swiftc' on PATH; get Swift as swift.org/install says."
    for tool in nm readelf strip; do
        command -v "$tool" >/dev/null || fail 69 "there is no '$tool' on PATH; install Debian's package 'binutils'."
    done
    command -v flock >/dev/null || fail 69 "there is no 'flock' on PATH; install Debian's package 'util-linux'."
}

require_build() {
    local name
    for name in "${of_services[@]}" "${of_apps[@]}"; do
        [[ -s $build/$name.product/Objects.LinkFileList ]] ||
            fail 66 "'$build/$name.product' is missing; build with \`swift build -c release\`."
    done
}

copy_as_built() {
    local name resources
    for name in "${as_built[@]}"; do
        [[ -e $build/$name ]] || fail 66 "'$build/$name' is missing; build with \`swift build -c release\`."
        strip --strip-debug -o "$staging/$name" "$build/$name" || fail 73 "'$staging/$name' cannot be written."
    done
    for resources in "$root"/Services/apps/*/Main/app.json; do
        name=screentime_$(basename "$(dirname "$(dirname "$resources")")").resources
        mkdir -p "$staging/$name"
        cp "$resources" "$staging/$name/"
    done
    cp -r "$pages" "$staging/console-web" || fail 66 "'$pages' cannot be read."
}

# Keeps the time of the mark.
note_contents() {
    local begun
    begun=$(stat -c %y "$staging/.complete")
    { echo "$build"; ls "$staging"; } >"$staging/.contents"
    mv "$staging/.contents" "$staging/.complete"
    touch -d "$begun" "$staging/.complete"
}

# File by file, as below; what is there and not in the new one goes.
exchange_folder() {
    local part
    mkdir -p "$2" || fail 73 "'$2' cannot be made."
    while IFS= read -r part; do [[ -e $1/$part ]] || rm -f "$2/$part"; done < <(find "$2" -type f -printf '%P\n')
    while IFS= read -r part; do
        mkdir -p "$(dirname "$2/$part")"
        mv -fT "$1/$part" "$2/$part" || fail 73 "'$2/$part' cannot be replaced."
    done < <(find "$1" -type f -printf '%P\n')
}

# File by file, each at once: programs may run from the directory. If it is killed, the mark names no build, and has
# the files of both.
exchange() {
    local file name
    [[ -e $folder/.complete ]] || : >"$folder/.complete"
    { echo "half installed"; tail -qn +2 "$folder/.complete" "$staging/.complete" | sort -u; } >"$staging/.half"
    mv -fT "$staging/.half" "$folder/.complete"
    for file in "$staging"/*; do
        name=$(basename "$file")
        if [[ -d $file ]]; then
            exchange_folder "$file" "$folder/$name"
        else
            mv -fT "$file" "$folder/$name" || fail 73 "'$folder/$name' cannot be replaced."
        fi
    done
    # What an earlier build had and this one has not.
    while read -r name; do
        grep -qxF "$name" "$staging/.complete" || rm -rf "${folder:?}/${name:?}"
    done < <(tail -n +2 "$folder/.complete" | grep -vF /)
    mv -fT "$staging/.complete" "$folder/.complete"
}

if is_current; then
    say "'$folder' is current."
    exit 0
fi
require_tools
require_build
mkdir -p "$folder" || fail 73 "'$folder' cannot be made."
# One at a time from a build, because swiftc leaves a list beside the first object of each program; and into a folder.
exec {from}>"$build/.install.lock" || fail 73 "'$build' cannot be written."
exec {into}<"$folder" || fail 73 "'$folder' cannot be read."
flock "$from"
flock "$into"
if is_current; then
    say "'$folder' is current."
    exit 0
fi
# What a killed one left.
rm -rf "$folder"/.staging-*
staging=$(mktemp -d "$folder/.staging-XXXXXX") || fail 73 "'$folder' cannot be written."
trap 'rm -rf "$staging"' EXIT
trap 'exit 130' INT TERM
place=$(realpath "$folder")
# What is built from now on is newer.
touch "$staging/.complete"
link_group libscreentime-services.so "$modules_of_services" "${of_services[@]}"
link_group libscreentime-frameworks.so "$modules_of_frameworks" "${of_apps[@]}"
refuse_needless "${of_services[@]:0:11}"
refuse_unexported shield-cover XMapWindow XSendEvent XSetErrorHandler
refuse_unexported libscreentime-services.so accept4 recv send
copy_as_built
note_contents
# From here to the end at once, as far as a script can.
trap '' INT TERM HUP
exchange
say "Installed in '$folder', $(du -sm "$folder" | cut -f1) MB."
