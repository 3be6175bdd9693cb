# Runs across versions of a program: their variation, what changed, and the culprit in source and instructions.
export SOURCE_DATE_EPOCH=1000000000
try() { "$@"; status=$?; [ $status = 0 ] || echo "-> $status"; }
cp "$here/../../eval/cases/divisor.c" .
touch -d @999999999 divisor.c # older than the runs
# The same file name in both versions. Prefixes are mapped, so nothing depends on the folder.
compile() { "${RVCC:-riscv64-linux-gnu-gcc}" -O2 -g -static -ffile-prefix-map="$PWD"=. "$@" -o divisor divisor.c; }
collect() { pcemu --no-program --profile oracle,tip:random:period=101,counter:event=loads:period=101 --seed "$@" -o report ./divisor > out 2> err || cat err; }
compile && cp divisor divisor.before && for seed in 1 2 3; do collect $seed --collect s.db:before; done
compile -D AFTER && for seed in 4 5; do collect $seed --collect s.db:after; done
collect 4 --collect copies.db && collect 4 --collect copies.db
pcemu --no-program --max-insts 30k --collect s.db:nothing ./divisor > out 2> err
rm divisor
pcprof stats --top 6 s.db:before
pcprof stats --by image --event loads s.db:1-5
pcprof stats --by line --top 3 s.db:4,5
pcprof stats --top 2 copies.db
# Computed a second time, from the store's view.
sqlite3 -separator '|' s.db "SELECT coalesce(procedure, '[' || image || ']'), run, sum(estimate) FROM samples WHERE event = 'cycles' AND source = 'time' AND run <= 3 GROUP BY 1, 2" > values
awk -F '|' '{ x[$1, $2] = $3; p[$1] }
    END { for (name in p) { sum = squares = 0; least = most = x[name, 1] + 0
        for (run = 1; run <= 3; run++) { v = x[name, run] + 0; sum += v; if (v < least) least = v; if (v > most) most = v }
        for (run = 1; run <= 3; run++) squares += (x[name, run] - sum / 3) ^ 2
        printf "%s %.3f %.3f %.3f %.3f %.3f %.3f\n", name, 100 * (most - least) / sum, sum, sum / 3, sqrt(squares / 2), least, most } }' values | sort > again
pcprof stats --format json s.db:before | jq -r '.statistics[] | select(.procedure) | [.procedure, 100 * .range, .sum, .mean, .deviation, .minimum, .maximum] | @tsv' |
    awk -F '\t' '{ printf "%s %.3f %.3f %.3f %.3f %.3f %.3f\n", $1, $2, $3, $4, $5, $6, $7 }' | sort > printed
cmp again printed && [ "$(wc -l < again)" -gt 20 ] && echo "as computed from the view"
pcprof diff --top 4 s.db:before s.db:after
pcprof diff --top 3 s.db:1 s.db:2
pcprof diff --top 4 --by line s.db:1-3 s.db:4-5
pcprof diff --by image --event loads s.db:before s.db:after
pcprof diff --top 2 --event cycles@oracle s.db:before s.db:after
pcprof diff --top 1 copies.db s.db:after
pcprof diff --by image s.db:before s.db:nothing # few samples, of a counter, of a part of the work
# The means are those of the store's view; with one run the interval is that of the number of samples.
sqlite3 -separator '	' s.db "SELECT procedure, round(estimate_before, 3), round(estimate_after, 3), round(difference, 3) FROM differences WHERE before = 'before' AND after = 'after' AND event = 'cycles' AND source = 'time' AND procedure IS NOT NULL" | sort > view
pcprof diff --format json s.db:before s.db:after | jq -r '.differences[] | select(.procedure | type == "string" and (startswith("[") | not)) | [.procedure, .before, .after, .difference] | @tsv' |
    awk -F '\t' '{ printf "%s\t%s\t%s\t%s\n", $1, r($2), r($3), r($4) } function r(x) { x = sprintf("%.3f", x); sub(/0+$/, "", x); sub(/\.$/, ".0", x); return x == "-0.0" ? "0.0" : x }' | sort > printed
cmp view printed && [ "$(wc -l < view)" -gt 20 ] && echo "as in the view"
pcprof diff --format json s.db:1 s.db:2 | jq '[.differences[] | ((.interval[1] - .interval[0]) / 2 / (([.before, 101] | max) + ([.after, 101] | max) | . * 101 | sqrt) * 1000 | round)] | unique'
pcprof diff --format json s.db:1 s.db:2 | jq '[.differences[] | select(.significant)] | length < 10'
# Source and instructions.
pcprof annotate s.db:before
pcprof annotate --event cycles --event loads s.db:after insert.constprop.0
pcprof annotate --disassembly s.db:before insert.constprop.0 | sed -n '/^Instructions/,$p'
pcprof annotate -d --format json s.db:before main | jq -c '.procedures[0] | (.estimate | round) as $n | [([.lines[].cycles.estimate] | add | round) == $n, ([.instructions[].cycles.estimate] | add | round) == $n]'
pcprof annotate -d --format json s.db:before main | jq -r '.procedures[0].instructions[] | [.address[2:], .instruction] | @tsv' > ours
"${RVCC:-riscv64-linux-gnu-gcc}" -print-prog-name=objdump > objdump && "$(cat objdump)" -d --no-show-raw-insn --disassemble=main divisor.before |
    sed -n 's/^ *\([0-9a-f]*\):[ \t]*/\1\t/p' | sed 's/\([a-z]\)\t/\1 /2; s/\(\t[a-z.0-9]*\)\t/\1 /; s/ *#.*//; s/ *$//; s/ <.*//' > theirs
sed 's/ <.*//' ours | diff - theirs && [ "$(wc -l < ours)" -gt 20 ] && echo "as objdump prints it"
pcprof top --top 3 s.db:before
pcprof top --top 1 --event loads --format csv s.db:before | head -n 3 | cut -d , -f 1-3
# Sources that are other ones, and missing.
touch -d @1000000001 divisor.c && pcprof annotate s.db:before insert.constprop.0 | tail -n 3
mkdir elsewhere && head -n 20 divisor.c > elsewhere/divisor.c && pcprof annotate --source-dir elsewhere s.db:before insert.constprop.0 | tail -n 3
rm divisor.c && pcprof annotate s.db:before insert.constprop.0 | tail -n 8
# What cannot be.
try pcprof stats s.db:1
try pcprof stats s.db:nothing
try pcprof stats --event loads@simple s.db:before
try pcprof stats --by instruction s.db:before
try pcprof stats
try pcprof diff s.db:before
try pcprof diff s.db:before s.db:never
try pcprof diff s.db:before none.db
try pcprof diff --event loads s.db:before s.db:nothing
try pcprof annotate s.db:before insrt
try pcprof annotate
try pcprof top s.db
try pcprof top
