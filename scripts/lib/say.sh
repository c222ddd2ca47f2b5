# Output of all scripts. Sourced, never run.
# shellcheck shell=bash

# Colours only on a terminal, never with NO_COLOR (no-color.org).
if [[ -t 1 && -z ${NO_COLOR:-} && ${TERM:-dumb} != dumb ]]; then
    bold=$'\e[1m' faint=$'\e[2m' red=$'\e[31m' green=$'\e[32m' plain=$'\e[0m'
else
    bold='' faint='' red='' green='' plain=''
fi

# One line of progress. A closed standard output does not stop the work.
say() { printf '%s\n' "$*" 2>/dev/null || true; }

# The beginning of a part.
heading() { printf '\n%s%s%s\n' "$bold" "$*" "$plain" 2>/dev/null || true; }

# Exit codes follow sysexits.h, as those of the services: 64 usage, 69 something needed is missing, 70 a bug,
# 75 try again later.
# usage: fail CODE SENTENCE
fail() {
    local code=$1
    shift
    printf '%s%s: %s%s\n' "$red" "${0##*/}" "$*" "$plain" >&2
    exit "$code"
}

# Waits for a line that matches an extended regular expression in a file that grows, and prints it. The file may not
# exist yet. Woken by the kernel (inotify), not by a clock; the deadline only fails.
# usage: await_line SECONDS REGEX FILE [COUNT]     the COUNT-th such line; default the first
await_line() {
    local seconds=$1 regex=$2 file=$3 left=${4:-1} line descriptor follower found=1
    local end=$((SECONDS + seconds))
    exec {descriptor}< <(exec tail -n +1 -F -- "$file" 2>/dev/null)
    follower=$!
    while ((SECONDS < end)) && IFS= read -r -t $((end - SECONDS)) -u "$descriptor" line; do
        if [[ $line =~ $regex ]] && ((--left == 0)); then
            printf '%s\n' "$line"
            found=0
            break
        fi
    done
    kill "$follower" 2>/dev/null || true
    exec {descriptor}<&-
    return $found
}
