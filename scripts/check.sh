#!/usr/bin/env bash
# Style that a machine can check. --prove shows that each rule can fail.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source-path=SCRIPTDIR source=lib/say.sh
source "$root/scripts/lib/say.sh"
# shellcheck source-path=SCRIPTDIR source=lib/rules.sh
source "$root/scripts/lib/rules.sh"

# Every rule over the tree in the current directory; prints findings as FILE:LINE: SENTENCE.
find_all() {
    list_files
    local rule
    for rule in "${rules[@]}"; do "rule_$rule" || fail 70 "the rule $rule itself failed."; done
}

# Each rule must find its bad example, and nothing in its good one.
prove_all() {
    local rule scratch
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' RETURN
    for rule in "${rules[@]}"; do
        for kind in bad good; do
            rm -rf "${scratch:?}/tree"
            mkdir -p "$scratch/tree"
            cd "$scratch/tree"
            "${kind}_$rule"
            git init -q . && list_files
            found=$("rule_$rule" | wc -l)
            cd "$root"
            if [[ $kind == bad ]] && ((found == 0)); then fail 1 "the rule $rule does not find its bad example."; fi
            if [[ $kind == good ]] && ((found > 0)); then fail 1 "the rule $rule rejects its good example."; fi
        done
    done
    say "Each of the ${#rules[@]} style rules finds its bad example, and accepts its good one."
}

case ${1:-} in
    --prove) prove_all ;;
    "")
        cd "$root"
        list_files
        findings=$(find_all)
        grep -F ': warning: ' <<<"$findings" || true
        errors=$(grep -vF ': warning: ' <<<"$findings" | grep . || true)
        if [[ -n $errors ]]; then
            printf '%s\n' "$errors" >&2
            fail 1 "$(wc -l <<<"$errors") places violate the style; they are above. CONTRIBUTING.md has the rules."
        fi
        say "${#rules[@]} style rules hold in ${#swift_files[@]} Swift files and ${#text_files[@]} other texts."
        ;;
    --help | -h) say "usage: scripts/check.sh [--prove]     --prove: show that each rule finds its bad example" ;;
    *) fail 64 "usage: scripts/check.sh [--prove]" ;;
esac
