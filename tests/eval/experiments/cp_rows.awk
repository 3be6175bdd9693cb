# SPDX-License-Identifier: GPL-3.0-or-later
# Figures of a program's replays (the rows of recorded.sh), for each seed.
#   awk -f cp_rows.awk -v ask=mean|ratio|above -v column=N -v program=NAME -v regions="NAME..." -v seeds="N..."
#       ROW-FILE...
# mean: over the regions. ratio: to simple sampling, the geometric mean over the regions of each workload, and of these
# over the workloads. above: of all regions and seeds, the number in which it is above simple sampling, the number of
# all, and those regions with their number of seeds. Column: as in recorded.sh.
BEGIN {
    FS = "\t"
    seed_count = split(seeds, seed, " ")
    region_count = split(regions, region, " ")
}
{
    seed_of_row = FILENAME
    sub(/\.row$/, "", seed_of_row)
    sub(/.*\./, "", seed_of_row)
    value[$1, $2, seed_of_row] = $column
}
function of(region, program, seed) {
    if (!((region, program, seed) in value)) {
        print "cp_rows.awk: no row of " region ", " program ", seed " seed > "/dev/stderr"
        exit 1
    }
    return value[region, program, seed]
}
function mean(seed, i, sum) {
    for (i = 1; i <= region_count; i++)
        sum += of(region[i], program, seed)
    return sum / region_count
}
function least(x) { return x > 1e-4 ? x : 1e-4 }
function ratio(seed, i, w, logs, regions_of, sum, workloads) {
    for (i = 1; i <= region_count; i++) {
        w = region[i]
        sub(/[@=].*/, "", w)
        logs[w] += log(least(of(region[i], program, seed)) / least(of(region[i], "simple", seed)))
        regions_of[w]++
    }
    for (w in logs) {
        sum += logs[w] / regions_of[w]
        workloads++
    }
    return exp(sum / workloads)
}
function count_above(i, k, at, all, above, list) {
    for (i = 1; i <= region_count; i++) {
        at = 0
        for (k = 1; k <= seed_count; k++) {
            all++
            at += of(region[i], program, seed[k]) > of(region[i], "simple", seed[k])
        }
        above += at
        if (at > 0)
            list = list ", " region[i] " (" at " seeds)"
    }
    printf "%d %d %s\n", above, all, substr(list, 3)
}
END {
    if (ask == "above")
        count_above()
    else
        for (k = 1; k <= seed_count; k++)
            printf "%.4f ", ask == "mean" ? mean(seed[k]) : ratio(seed[k])
}
