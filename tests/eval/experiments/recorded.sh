#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Recorded samples of a region, and profiling programs over them, without the core (docs/recording.md).
#   recorded.sh BUILD record REGION             REGION: a Debian program (gcc@50: after half of its instructions), or a
#                                               workload and its arguments (glacial=760000_19)
#   recorded.sh BUILD replay REGION PROGRAM SEED [VARIANT OPTION...]
#   recorded.sh BUILD floors REGION             what a profiler can do with 256 slots
# PROGRAM is the name of a shipped program, or the path of an image, whose name is that of the results. In the
# environment: SAMPLES, the folder of recordings and results (BUILD/samples); INSTRUCTIONS, of a region (100 M); CUT, the
# most of a workload (60 M); REPORT=yes keeps the report. A result that is newer than the recording and the program is
# kept:
#   REGION.PROGRAM[+VARIANT].SEED.row  region, program, error in %, time of the handlers in % of the other time, loads
#                                      with a sample, loads, interrupts
#   REGION.PROGRAM[+VARIANT].SEED.json the report
#   REGION.floors                      as value_floors prints them
set -eu
here=$(cd "${0%/*}" && pwd)
BUILD=$(cd "$1" && pwd)
out=${SAMPLES:-$BUILD/samples}
mkdir -p "$out"
action=$2 region=$3
shift 3
recording=$out/$region.rec
fail() { echo "recorded.sh: $region: $1" >&2; cat "$2" >&2; exit 255; }
# newer FILE THAN...: whether the file exists, and is newer than the others
newer() {
    file=$1
    shift
    for than; do [ "$file" -nt "$than" ] || return 1; done
}

case $action in
record)
    ! newer "$recording" "$BUILD/bin/pcemu" || exit 0
    echo "  recording $region" >&2
    set -- --config ev6 --program "$BUILD/programs/simple.pc" --record-samples "$recording"
    case $region in
    *=*)
        cd "$BUILD/workloads"
        # shellcheck disable=SC2046 # arguments, meant to be split
        "$BUILD/bin/pcemu" -L "$BUILD" --max-insts "${CUT:-60M}" "$@" "./${region%%=*}" $(echo "${region#*=}" | tr _ ' ') \
            > "$recording.out" 2>&1 ;;
    *) "$here/../../guest/debian/region.sh" "$BUILD" "$region" "$@" > "$recording.out" 2>&1 ;;
    esac || fail "exit status $?" "$recording.out"
    rm "$recording.out" ;;
replay)
    program=$1 seed=$2
    shift 2
    # The buffer of the co-processor paper drops samples only when it is full.
    case $program in value) drops='' ;; *) drops='--set cop_early_drop=no' ;; esac
    case $program in
    /*) image=$program name=$(basename "$program" .pc) ;;
    *) image=$BUILD/programs/$program.pc name=$program ;;
    esac
    if [ $# -gt 0 ]; then
        name=$name+$1
        shift
    fi
    to=$out/$region.$name.$seed
    [ "${REPORT:-no}" = no ] || [ -f "$to.json" ] || rm -f "$to.row"
    ! newer "$to.row" "$recording" "$image" || exit 0
    # shellcheck disable=SC2086 # options
    "$BUILD/bin/pcemu" --core "samples:$recording" --program "$image" --seed "$seed" $drops "$@" \
        --format json -o "$to.json" 2> "$to.err" || fail "exit status $?" "$to.err"
    jq -r --arg name "$region" --arg program "$name" '[$name, $program, 100 * (.rms_error // 0), 100 * .handler_cycles /
        (.cycles - .handler_cycles), .loads_profiled, .exact_loads, .interrupts] | @tsv' "$to.json" > "$to.row.new"
    mv "$to.row.new" "$to.row"
    rm "$to.err"
    [ "${REPORT:-no}" = yes ] || rm "$to.json" ;;
floors)
    ! newer "$out/$region.floors" "$recording" "$BUILD/tests/value_floors" || exit 0
    "$BUILD/tests/value_floors" "$recording" > "$out/$region.floors.new"
    mv "$out/$region.floors.new" "$out/$region.floors" ;;
*)
    echo "recorded.sh: no action '$action'" >&2
    exit 2 ;;
esac
