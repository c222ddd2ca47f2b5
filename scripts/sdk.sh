#!/usr/bin/env bash
# usage: sdk.sh FOLDER [BUILD]: puts what `screentime extension check` and swiftc need to compile sources written
# for iOS into FOLDER, from a build (default: .build/release), for machines without a checkout.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source-path=SCRIPTDIR source=lib/say.sh
source "$root/scripts/lib/say.sh"

case ${1:-} in
    --help | -h)
        sed -n '2,3s/^# //p' "$0"
        exit 0
        ;;
    "" | -*) fail 64 "usage: scripts/sdk.sh FOLDER [BUILD]" ;;
esac
folder=$1
build=${2:-$root/.build/release}
for file in Modules/DeviceActivity.swiftmodule PreviewMacros-tool libScreenTime.a; do
    [[ -e $build/$file ]] || fail 66 "'$build/$file' is missing; build with \`swift build -c release\`."
done
mkdir -p "$folder/Modules" "$folder/CModules"
cp "$build"/Modules/*.swiftmodule "$folder/Modules/"
cp "$build/PreviewMacros-tool" "$build/libScreenTime.a" "$folder/"
for map in "$root"/Shared/{System,Apple/Facades,Clock/Page}/*/module.modulemap; do
    cp -r "$(dirname "$map")" "$folder/CModules/"
done
say "The frameworks are in '$folder': SCREENTIME_SDK='$folder' screentime extension check FILE…"
