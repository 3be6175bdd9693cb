#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page docs/results/counterfactual.md from the results of run.sh: page.sh RESULTS CLASSES FIGURES, where it writes
# counterfactual.svg
set -eu
here=$(dirname "$0") results=$1 classes=$2 figures=$3
tab=$(printf '\t')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
names=$(cut -d '|' -f 1 "$here/metrics.txt" | tr -d ' ' | paste -sd , -)
sort -t "$tab" -k 2,2 -k 4,4 -k 1,1 "$results" > "$work/sorted"
awk -v METRICS="$names" -f "$here/judge.awk" "$work/sorted" > "$work/judged"

# All causes of a program together, by its class in place of the cause.
awk -F '\t' -v OFS='\t' '
    FILENAME == ARGV[1] { class[$1, $2] = $3; next }
    { $4 = class[$1, $2]; print }' "$classes" "$results" | sort -t "$tab" -k 2,2 -k 4,4 -k 1,1 > "$work/classed"
awk -v METRICS="$names" -f "$here/judge.awk" "$work/classed" > "$work/judged_classes"

# judgement FILE CORE GROUP: a table of the judged lines of a core and a group of questions; nothing for fewer than
# three programs
judgement() {
    awk -F '\t' -v core="$2" -v cause="$3" '
        $1 != core || $2 != cause || $4 < 3 { next }
        !seen++ { printf "\n`%s`, %d questions, %d programs:\n\n", core, $5, $4
            print "| metric | tau (95 %) | found | ratio (95 %) | error |"
            print "|---|---|---|---|---|" }
        { printf "| %s | %.2f (%.2f to %.2f) | %.2f | %.2f (%.2f to %.2f) | %.2f |\n", $3, $6, $7, $8, $9, $12, $13, $14,
            $15 }' "$1"
}

# The number of a metric's column.
column() { awk -F ' *[|] *' -v name="$1" '$1 == name { print NR + 4 }' "$here/metrics.txt"; }

# A panel of the figure for each of six metrics: predicted over true gain of the questions on boom; what is less than
# 0.1 % is drawn as that.
plot() {
    cat <<'PLOT'
set terminal svg size 900,1350 font "sans-serif,14"
set multiplot layout 3,2
set grid
set logscale xy
set xrange [0.1:100]
set yrange [0.1:100]
set xlabel "gain without the cause, % of the cycles"
set ylabel "predicted"
set key bottom right
PLOT
    for metric in oracle tea-oracle top-down stack-issue dcpi graph; do
        printf 'set title "%s"\nplot x notitle with lines lc rgb "#888888"' "$metric"
        for cause in branch dtlb+l1d latency; do
            awk -F '\t' -v OFS='\t' -v c="$cause" -v m="$(column $metric)" \
                '$2 == "boom" && $4 == c && $m != "-" && $NF + $m > 0.01 {
                    print ($NF > 0.001 ? 100 * $NF : 0.1), ($m > 0.001 ? 100 * $m : 0.1) }' "$results" > "$work/$metric.$cause"
            [ ! -s "$work/$metric.$cause" ] ||
                printf ', "%s" title "%s" with points pt 7 ps 0.5' "$work/$metric.$cause" "$cause"
        done
        echo
    done
}
plot | { echo "set output '$figures/counterfactual.svg'" > "$work/first"; awk -v first="$(cat "$work/first")" \
    'NR == 1 { print; print first; next } { print }'; } | gnuplot

cat <<HEAD
# What predicts a gain

A profile says where the time goes. What would be gained if an instruction were not mispredicted, did not miss, or took
one cycle? [\`--gain\`](../ideal.md) simulates the run again without that one cause, so the answer is known for each
instruction, and every metric of a profile can be compared with it. The page is written by one command:

\`\`\`console
\$ make experiments-counterfactual
\`\`\`

$(awk -F '\t' '
    { questions++; program[$1] = 1; loss += $NF < -0.0005 }
    END {
        for (p in program) { programs++; debian += p !~ /^own:/ }
        printf "%d questions: %d programs, %d of them Debian 13'"'"'s of [the benchmark of the functional core](speed.md), on\n",
            questions, programs, debian
        print "`boom`; some also on `ev6`, on `wide`, which is `boom` with six instructions in a cycle, a ROB of 256 entries and"
        print "queues to match, and on the in-order core `ev5`. Regions of 1.5 million instructions after a quarter of"
        print "each program, of workloads from the start, and 0.5 million before them to warm up. At most 60 questions for"
        print "each program on `boom`, and 40 on the others, are chosen in turn by each metric: those with the largest"
        print "predictions by it. [Metrics that were added later](#how-the-questions-were-chosen) have chosen fewer."
        printf "%d removals lose more than 0.05 %% of the cycles.\n", loss
    }' "$results" | sed 's/ $//')

![Predicted and true gain of each question](figures/counterfactual.svg)

| metric | | a prediction is, over the cycles of the run |
|---|---|---|
$(sed 's/ *| */ | /g; s/^/| /; s/$/ |/' "$here/metrics.txt")

Kendall's tau compares the order of the questions of a program by metric and by gain; 0 is no agreement, 1 the same
order. "Found": of the five largest gains of a program those that are among the five largest predictions. "Ratio": sum
of the predictions, over the sum of the gains. "Error": mean distance of prediction and gain for the five largest gains,
in per cent of the cycles of the run. Tau and found are means over programs, with 95 % intervals (Student); those of the
ratio are a jackknife's over programs.
HEAD

for cause in branch dtlb+l1d latency icache; do
    case $cause in
    branch) title='Mispredictions of branches and jumps' ;;
    dtlb+l1d) title='Misses of loads' ;;
    latency) title='Latencies of arithmetic' ;;
    icache) title='Misses of fetch' ;;
    esac
    printf '\n## %s\n' "$title"
    for core in boom ev6 wide ev5; do judgement "$work/judged" $core $cause; done
done

cat <<'HEAD'

## By class of the program

All causes together, so that the metrics also compare a misprediction with a miss. The class is that of the TIP paper,
of the region: *Compute* if more than half of the cycles commit; otherwise *Flush* if the ROB is flushed in more than
3 % of the cycles; otherwise *Stall*. Metrics that say nothing of a cause are left out.
HEAD
for class in Compute Stall Flush; do
    printf '\n### %s\n' $class
    for core in boom ev5; do judgement "$work/judged_classes" $core $class; done
done

cat <<'HEAD'

## Gains and the stacks of three stages

A cause has a share at each stage: the stacks are meant to bound what its removal gains (Eyerman et al.). Questions, in
per cent, whose gain is below the smallest of the three predictions, between them, and above the largest, where 0.1 % of
the cycles more or less is still between:

| cause | core | questions | below | between | above | between, of gains above 1 % |
|---|---|---|---|---|---|---|
HEAD
awk -F '\t' -v first="$(column stack-dispatch)" -v last="$(column stack-commit)" '
    function percent(x, n) { return n ? sprintf("%.0f", 100 * x / n) : "-" }
    $last == "-" { next }
    {
        least = most = $first
        for (m = first; m <= last; m++) { if ($m < least) least = $m; if ($m > most) most = $m }
        g = $4 "\t" $2
        questions[g]++
        where = $NF < least - 0.001 ? "below" : $NF > most + 0.001 ? "above" : "between"
        of[g, where]++
        if ($NF > 0.01) { large[g]++; of_large[g] += where == "between" }
    }
    END {
        for (g in questions) {
            split(g, part, "\t")
            printf "| %s | `%s` | %d | %s | %s | %s | %s |\n", part[1], part[2], questions[g],
                percent(of[g, "below"], questions[g]), percent(of[g, "between"], questions[g]),
                percent(of[g, "above"], questions[g]), percent(of_large[g], large[g])
        }
    }' "$results" | sort
cat <<'HEAD'

## Gains that a profile of time hides

The ten largest gains of more than three times the instruction's time at commit:

| program | core | instruction, removed | time % | gain % | graph % |
|---|---|---|---|---|---|
HEAD
awk -F '\t' -v graph="$(column graph)" '
    $NF > 3 * $5 { printf "%f\t| `%s` | `%s` | %s, `%s` | %.2f | %.2f | %.2f |\n", $NF, $1, $2, $3, $4, 100 * $5, 100 * $NF,
        100 * $graph }' "$results" | sort -rn | head -n 10 | cut -f 2
cat <<'HEAD'

## Time that no removal gains

The ten questions with the largest time at commit of which a tenth or less is gained:

| program | core | instruction, removed | time % | gain % | graph % |
|---|---|---|---|---|---|
HEAD
awk -F '\t' -v graph="$(column graph)" '
    $NF < $5 / 10 { printf "%f\t| `%s` | `%s` | %s, `%s` | %.2f | %.2f | %.2f |\n", $5, $1, $2, $3, $4, 100 * $5, 100 * $NF,
        100 * $graph }' "$results" | sort -rn | head -n 10 | cut -f 2
cat "$here/discussion.md"
