#!/usr/bin/env bash
# Runs weeks of a household on the six services in one process, with a simulated bus, disk and clock: docs/simulation.md.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source-path=SCRIPTDIR source=lib/say.sh
source "$root/scripts/lib/say.sh"

help() {
    cat <<'END'
usage: scripts/simulate.sh [--seed N] [--weeks N | --seconds N] [--jobs N] [--once] [--trace] [--debug] [--no-build]
       scripts/simulate.sh --prove [FAULT…]

Each week has some 1,400 observations, 60 callbacks and 100 faults, all decided by its seed, and is run twice. The seed
that finds something is printed; with --seed it does the same again.

  --seed N      the first seed (default: by chance); the next week has the next one
  --weeks N     how many weeks (default: 1 with --seed, else 10)
  --seconds N   as many as begin in N seconds
  --jobs N      in N processes, each with every Nth seed (default: one for each processor; 1 for a single week)
  --once        each week once
  --trace       print every message
  --debug       the debug build, which is there after scripts/test.sh
  --no-build    with what is built
  --prove       plants each fault of Tests/Simulation/Planted into a copy of the sources, one after the other, and says
                which seed found it

Exit codes: 0 nothing was violated, or every planted fault was found; 1 otherwise; 64 wrong usage; 70 the build failed.
END
}

seconds_per_fault=900
seed='' weeks='' seconds='' jobs='' arguments=() traced=no
configuration=release with_build=yes prove=no faults=()
while (($# > 0)); do
    case $1 in
        --seed | --weeks | --seconds | --jobs)
            [[ ${2:-} =~ ^(0|[1-9][0-9]{0,8})$ ]] || fail 64 "$1 needs a number."
            printf -v "${1#--}" '%s' "$2"
            shift
            ;;
        --once) arguments+=(--once) ;;
        --trace) traced=yes ;;
        --debug) configuration=debug ;;
        --no-build) with_build=no ;;
        --prove) prove=yes ;;
        --help | -h)
            help
            exit 0
            ;;
        -*) fail 64 "'$1' is not an option; see --help." ;;
        *) faults+=("$1") ;;
    esac
    shift
done
[[ $prove == yes ]] || ((${#faults[@]} == 0)) || fail 64 "'${faults[0]}' needs --prove; see --help."

planted=$root/.build/planted

# A copy of the sources, built by itself, so that nothing planted is ever left here.
copy_sources() {
    mkdir -p "$planted/.build"
    find "$planted" -mindepth 1 -maxdepth 1 ! -name .build -exec rm -rf {} +
    (cd "$root" && git ls-files -z --cached --others --exclude-standard | tar --null -T - -c) | tar -x -C "$planted"
}

# Builds the copy with one fault, and runs weeks until one finds it.
find_fault() {
    local name=$1 patch=$root/Tests/Simulation/Planted/$1.patch log begin=$SECONDS
    [[ -f $patch ]] || fail 64 "there is no $patch."
    log=$planted/.build/$name.log
    patch -d "$planted" -p1 -s --no-backup-if-mismatch <"$patch" || fail 70 "$name does not apply; make it again."
    if ! swift build --package-path "$planted" --product simulate >"$log" 2>&1; then
        tail -n 20 "$log"
        fail 70 "the sources with $name do not build."
    fi
    begin=$SECONDS
    "$planted/.build/debug/simulate" --seed 1 --seconds "$seconds_per_fault" --once --until-found >"$log" 2>&1 || true
    patch -d "$planted" -p1 -s -R --no-backup-if-mismatch <"$patch"
    if grep -q 'violated:' "$log"; then
        say "$name: found by seed $(awk '/^seed/ { seed = $2 } /violated:/ { print seed + 0; exit }' "$log")" \
            "after $((SECONDS - begin)) s: $(sed -n 's/.*violated: //p' "$log" | head -n 1)"
    else
        say "$name: NOT found in $((SECONDS - begin)) s."
        return 1
    fi
}

# Each job prints its weeks as they end; the sums follow.
run_jobs() {
    local own job length processes=() viewers=() code=0 begin=${EPOCHREALTIME/./}
    own=$(mktemp -d)
    trap 'kill "${processes[@]}" 2>/dev/null || true; rm -rf "$own"; exit 130' INT TERM
    for ((job = 0; job < jobs; job++)); do
        length=(--seconds "$seconds")
        [[ -n $seconds ]] || length=(--weeks $(((weeks + jobs - 1 - job) / jobs)))
        [[ ${length[1]} == 0 ]] && continue
        # Its viewer may open it first.
        : >"$own/$job"
        ".build/$configuration/simulate" --seed $((seed + job)) --step "$jobs" "${length[@]}" "${arguments[@]}" \
            >"$own/$job" &
        processes+=($!)
        tail -n +1 -f --pid=$! "$own/$job" | { grep --line-buffered -vE '^[0-9]+ (weeks|[a-z])' || true; } &
        viewers+=($!)
    done
    for job in "${processes[@]}"; do wait "$job" || code=$?; done
    # A viewer fails if nobody reads any more; the jobs do not.
    wait "${viewers[@]}" || true
    trap - INT TERM
    sum_up "$own" $(((${EPOCHREALTIME/./} - begin) / 1000))
    rm -rf "$own"
    return "$code"
}

# usage: sum_up FOLDER MILLISECONDS
sum_up() {
    sed -nE 's/^([0-9]+) weeks in .*; ([0-9]+) failed$/\1 \2/p' "$1"/* | awk -v time="$2" '
        { weeks += $1; failed += $2 }
        END { print weeks + 0 " weeks in " time " ms, " int(weeks * 60000 / time) " a minute; " failed + 0 " failed" }'
    grep -hE '^[0-9]+ [a-z]+.*, ' "$1"/* | grep -v '^[0-9]* weeks in' | sed 's/, /\n/g' | awk '
        { count = $1; sub(/^[0-9]+ /, ""); sum[$0] += count }
        END { for (kind in sum) print sum[kind] " " kind }' | sort -k2 | paste -sd, | sed 's/,/, /g'
}

cd "$root"
if [[ $prove == yes ]]; then
    if ((${#faults[@]} == 0)); then
        for patch in Tests/Simulation/Planted/*.patch; do faults+=("$(basename "$patch" .patch)"); done
    fi
    copy_sources
    missed=0
    for fault in "${faults[@]}"; do find_fault "$fault" || missed=$((missed + 1)); done
    ((missed == 0)) || fail 1 "$missed planted faults were not found."
    exit 0
fi
if [[ -z $weeks ]]; then weeks=$([[ -n $seed ]] && echo 1 || echo 10); fi
seed=${seed:-$((RANDOM * 30000 + RANDOM))}
((weeks > 0)) && [[ $jobs != 0 ]] || fail 64 "it needs at least one week and one job."
if [[ -z $jobs ]]; then jobs=$(nproc); fi
if [[ $traced == yes || -z $seconds && $weeks == 1 ]]; then jobs=1; fi
if [[ $with_build == yes ]]; then
    swift build -c "$configuration" --product simulate || fail 70 "the build failed."
fi
[[ $traced == no ]] || exec ".build/$configuration/simulate" --seed "$seed" --weeks "$weeks" --trace "${arguments[@]}"
run_jobs
