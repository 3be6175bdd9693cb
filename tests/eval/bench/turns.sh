# SPDX-License-Identifier: GPL-3.0-or-later
# Processor time of commands in interleaved runs. Sourced after `build` is set.

# turns ROUNDS: prints the least processor time of each command on the input, in seconds, one line each (see turns.c).
# A pipe loses its failure: send the output to a file.
# shellcheck disable=SC2154 # set by the scripts that source this one
turns() {
    [ -x "$build/tests/bench/turns" ] ||
        { echo "$(basename "$0"): no $build/tests/bench/turns: build it by its name with make" >&2; exit 2; }
    "$build/tests/bench/turns" "$1"
}
