# SPDX-License-Identifier: GPL-3.0-or-later
# Chooses the scripts that run with sanitizers by the lines that they execute.
# Arguments: part=covered FILE... part=offered FILE..., with a line in each line. The processor seconds of NAME.lines
# are in NAME.seconds. least: how many lines a script must add for each second after the first. Output: a row for each
# file of the second part: its name, run or skip.
#
# Greedy: the script that adds most for each second comes next. One whose lines the others execute at the end is left
# out again, the longest first.
function name_of(file) { sub(/.*\//, "", file); sub(/\.lines$/, "", file); return file }

function seconds_of(file, seconds) {
    sub(/lines$/, "seconds", file)
    if ((getline seconds < file) <= 0) {
        print file ": no seconds" > "/dev/stderr"
        exit 1
    }
    close(file)
    return seconds + 0.01 # never zero
}

# How many lines of the script i no chosen one executes.
function gain(i, j, sum) {
    for (j = 1; j <= lines_of[i]; j++)
        sum += !runs[line_of[i, j]]
    return sum
}

# Changes by how many chosen scripts each line of the script i is executed.
function choose(i, by, j) {
    chosen[i] = by > 0
    for (j = 1; j <= lines_of[i]; j++)
        runs[line_of[i, j]] += by
}

# The script that is not chosen and adds the most for each second; 0 if none adds enough.
function best(i, most, at) {
    for (i = 1; i <= scripts; i++)
        if (!chosen[i] && gain(i) / seconds[i] > most && gain(i) >= least * (seconds[i] - 1)) {
            most = gain(i) / seconds[i]
            at = i
        }
    return at
}

# The longest chosen script whose lines other chosen ones execute as well; 0 if there is none.
function redundant(i, j, at) {
    for (i = 1; i <= scripts; i++) {
        for (j = 1; j <= lines_of[i] && runs[line_of[i, j]] > 1; j++)
            continue
        if (chosen[i] && j > lines_of[i] && (!at || seconds[i] > seconds[at]))
            at = i
    }
    return at
}

part == "covered" { covered[$0]; next }

FNR == 1 {
    script[++scripts] = name_of(FILENAME)
    seconds[scripts] = seconds_of(FILENAME)
}

!($0 in covered) { line_of[scripts, ++lines_of[scripts]] = $0 }

END {
    while ((i = best()) > 0)
        choose(i, 1)
    while ((i = redundant()) > 0)
        choose(i, -1)
    for (i = 1; i <= scripts; i++)
        print script[i], chosen[i] ? "run" : "skip"
}
