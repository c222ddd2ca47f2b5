#!/usr/bin/env bash
# Writes the contract's documents from the code: docs/contract/asyncapi.json, settings.md and
# docs/contract/schemas/.
# Run it after each change of a message, and commit its output; a test fails until then.
set -eu
case ${1:-} in
    --help | -h)
        sed -n '2,3s/^# //p' "$0"
        exit 0
        ;;
    "") ;;
    *)
        echo "usage: scripts/contract.sh" >&2
        exit 64
        ;;
esac
cd "$(dirname "$0")/.."
swift build --product contract-document
rm -rf docs/contract/schemas
"$(swift build --show-bin-path)/contract-document" docs/contract
