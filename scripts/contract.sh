#!/usr/bin/env bash
# Writes the contract's documents anew from the code: docs/contract/asyncapi.json and docs/contract/schemas/.
# Run it whenever a message changed, and commit what it wrote; a test fails until then.
set -eu
cd "$(dirname "$0")/.."
swift build --product contract-document
rm -rf docs/contract/schemas
"$(swift build --show-bin-path)/contract-document" docs/contract
