#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Speed of the detailed cores by configuration and workload (mixes.sh), with and without observers, in interleaved
# runs. Fixed costs (loading, skipping, symbols, reporting) are measured by a run of few instructions and subtracted.
#   core.sh [BUILD [ROUNDS [CONFIG...]]]     default: build, 3, boom ev6 ev5 sim4
# INSTS: number of instructions measured per workload.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "${1:-build}" && pwd)
rounds=${2:-3}
if [ $# -gt 2 ]; then shift 2; else set -- boom ev6 ev5 "$here/sim4.conf"; fi
few=1000
pcemu=$build/bin/pcemu
. "$here/mixes.sh"
. "$here/turns.sh"
for tool in jq awk; do
    command -v $tool > /dev/null || { echo "core.sh: skipped: no $tool"; exit 0; }
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$build/workloads"

# Sets of observers: name and pcemu options.
cat > "$tmp/observers" << END
none --no-program
oracle+tip --no-program --profile oracle,tip
+co-processor --program $build/programs/value.pc --profile oracle,tip
END

# One row per run: configuration, mix, workload, observers. Command and row have the same line number in their files.
for config; do
    echo "$mixes" | while read -r mix skip words; do
        while read -r name options; do
            echo "$(basename "$config" .conf) $mix ${words%% *} $name" >> "$tmp/rows"
            stats=$tmp/$(wc -l < "$tmp/rows").stats
            command="$(core_command "$skip" --config "$config" "$options")"
            echo "$command --format json --stats $stats ./$words > /dev/null"
            echo "$command --max-insts $few ./$words > /dev/null"
        done < "$tmp/observers"
    done
done > "$tmp/commands"
turns "$rounds" < "$tmp/commands" > "$tmp/times"
paste -d ' ' - - < "$tmp/times" | awk '{ print $1 - $2 }' > "$tmp/seconds"
for row in $(seq "$(wc -l < "$tmp/rows")"); do
    jq -r ".core | \"\(.retired - $few) \(.fetched) \(.cycles)\"" "$tmp/$row.stats"
done > "$tmp/counts"

echo "Detailed cores: millions, of instructions committed and executed (on both paths) and of cycles, and per second of processor time"
echo "(least of $rounds); 'time' is relative to the run that nothing observes."
paste -d ' ' "$tmp/rows" "$tmp/counts" "$tmp/seconds" | awk '
    function mean(key) { return exp(logs[key] / n[key]) }
    function add(key, value) { logs[key] += log(value); n[key]++ }
    BEGIN {
        form = "%-6s %-9s %-13s %9s %9s %9s %10s %10s %10s %6s\n"
        printf form, "core", "workload", "observers", "committed", "executed", "cycles", "committed/s", "executed/s",
            "cycles/s", "time"
        observers = 0
    }
    {
        if (!($1 in known)) { known[$1] = 1; config[++configs] = $1 }
        if (!($4 in seen)) { seen[$4] = 1; observer[++observers] = $4 }
        if ($4 == observer[1]) alone = $8
        printf form, $1, $3, $4, sprintf("%.2f", $5 / 1e6), sprintf("%.2f", $6 / 1e6), sprintf("%.2f", $7 / 1e6),
               sprintf("%.2f", $5 / $8 / 1e6), sprintf("%.2f", $6 / $8 / 1e6), sprintf("%.2f", $7 / $8 / 1e6),
                   sprintf("%.3f", $8 / alone)
        add($1 " " $4 " " $2, $5 / $8 / 1e6)
        add($1 " " $4 " executed", $6 / $8 / 1e6)
        add($1 " " $4 " cycles", $7 / $8 / 1e6)
        add($1 " " $4 " time", $8 / alone)
    }
    END {
        print "\nGeometric means: millions committed per second by mix, and of the three; executed and cycles per second; time relative to a run without observers"
        form = "%-6s %-13s %8s %8s %8s %8s %9s %9s %6s\n"
        printf form, "core", "observers", "int", "coremix", "fp", "all", "executed", "cycles", "time"
        for (c = 1; c <= configs; c++)
            for (o = 1; o <= observers; o++) {
                k = config[c] " " observer[o] " "
                all = exp((log(mean(k "int")) + log(mean(k "coremix")) + log(mean(k "fp"))) / 3)
                printf form, config[c], observer[o], sprintf("%.2f", mean(k "int")), sprintf("%.2f", mean(k "coremix")),
                       sprintf("%.2f", mean(k "fp")), sprintf("%.2f", all), sprintf("%.2f", mean(k "executed")),
                       sprintf("%.2f", mean(k "cycles")), sprintf("%.3f", mean(k "time"))
            }
    }'
