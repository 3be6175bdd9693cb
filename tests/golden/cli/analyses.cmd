# The analyses of DCPI on profile stores: calc, summary and cfg on an in-order and on an out-of-order core, with exact
# answers; errors.
export SOURCE_DATE_EPOCH=1000000000
cp "$workloads/sort" .
try() { "$@"; status=$?; [ $status = 0 ] || echo "-> $status"; }
collect() { pcemu --no-program --max-insts 200k "$@" -o report.txt ./sort > out 2> err || cat err; }
collect --core inorder --profile oracle,counts,paths,counter:event=cycles:period=101:random --collect s.db:inorder
collect --core inorder --profile counter:event=cycles:period=101:random,profileme:period=50 --seed 2 --collect s.db:blind
collect --profile oracle,counts,tip:period=31,profileme:period=20 --collect s.db:ooo
collect --profile counter:event=cycles:period=101 --collect s.db:late
collect --profile tip:period=101 --collect s.db:time
collect --profile counts --collect s.db:counts
collect --profile oracle --collect s.db:oracle
pcprof calc s.db:inorder main > calc.txt
sed -n '1,/^Instructions/p' calc.txt
grep -n -B 1 -A 12 '0x105ae' calc.txt | sed 's/^[0-9]*[:-]//'
sed -n '/^Stalls/,$p' calc.txt | grep -v ' low '
pcprof calc --event dcache-miss --time cycles@oracle --frequency exact s.db:inorder sort:0x105ae | grep -A 3 -e '^time' -e 0x105c0
pcprof calc s.db:ooo main | grep -A 4 -e '^time' -e '^stall' -e 0x105be
pcprof calc --format csv s.db:inorder main | grep -A 2 '^instructions.stalls'
pcprof summary --top 3 s.db:inorder
pcprof summary s.db:ooo main | sed -n '/^procedure/q; /^time/,$p'
pcprof cfg s.db:inorder main | sed -n '/^Blocks/,$p' | head -n 12
pcprof cfg s.db:inorder main | grep -e '^ *from' -e ' 6 .*taken'
pcprof cfg --format dot s.db:inorder main -o main.dot && grep -e '^digraph' -e 'b6 -> ' -e '^}' main.dot
# Graphviz reads the graph.
if command -v dot > /dev/null; then dot -Tsvg -o main.svg main.dot && grep -q '<svg' main.svg || echo "no picture"; fi
# The parts of each summary add up to 100.0 %, and each cause's least part is not above its largest.
pcprof summary --format json s.db:inorder main | jq -c '[.parts[] | {(.part): ((.share // 0) * 1000 | round)}] | add |
    .static == .slotting + ."operand-a" + ."operand-b" + .result + .unit, .stall == .static + .dynamic,
    .tallied == .stall + .execution + .error, .tallied'
for epoch in inorder blind ooo; do
    pcprof summary --format json s.db:$epoch | jq -c '[.parts[] | select(.least != null)] | all(.least <= .most)'
done
# What --profile paths counts on the edges is what --profile counts counts in the blocks.
pcprof cfg --format json s.db:inorder main | jq -c '.blocks as $b | [.edges[] | select(.to != null)] | group_by(.to) |
    map(select(all(.kind != "enter"))) | [length > 10, all((map(.exact) | add) == $b[.[0].to].exact)]'
# The cycles of the loop are those of the oracle, to within 2 %.
pcprof calc --format json s.db:inorder main | jq -c '.blocks[6] as $b | [.instructions[] | select(.block == 6)] |
    (map(.exact_cycles) | add) / .[0].exact_executions / $b.cycles | . > 0.98 and . < 1.02'
# A report is printed again as it was.
pcprof calc --format json s.db:inorder main | pcprof show - | cmp - calc.txt && echo same
# What cannot be.
try pcprof calc s.db:inorder
try pcprof calc s.db:inorder mian
try pcprof calc s.db:inorder 0x1
try pcprof calc s.db:inorder exit
try pcprof calc s.db:1-3 main
try pcprof calc s.db:late main
try pcprof calc s.db:time main
try pcprof summary s.db:time
try pcprof calc --frequency profileme s.db:inorder main
try pcprof calc --frequency exact s.db:time main
try pcprof calc s.db:counts main
# Executions and exact answers of one run do not belong to samples of time of another.
for c in calc summary cfg; do try pcprof $c s.db:5,6 main; done
pcprof prof --format json s.db:5,7 | jq -c '.events[] | [.estimate > 0, .misplaced, .runs]'
try pcprof calc --time retired s.db:ooo main
try pcprof calc --time cycles@nci s.db:ooo main
try pcprof calc --event misses s.db:ooo main
try pcprof summary s.db:inorder main exit
try pcprof cfg s.db:inorder nothing
try pcprof cfg --format svg s.db:inorder main
# Listings in the order of addresses have all rows, so there is no --top; a report of one is shown whole too.
for c in calc cfg annotate; do try pcprof $c --top 1 s.db:inorder main; done
pcprof calc --format json s.db:inorder main | pcprof show --top 1 - | cmp - calc.txt && echo same
[ "$(pcprof annotate --disassembly s.db:inorder main | grep -c '^ .*0x')" -gt 30 ] && echo "all instructions"
# Procedures of one name: an image or an address says which.
for file in one two; do
    printf '__attribute__((noinline)) static int same(int x)\r\n{\treturn x * 3 + 1; }\r\nint %s(int x)\n{ return same(same(x)); }' $file > $file.c
done
printf 'int one(int), two(int);\nint rare(int x) { return x; }\nint main(int c, char **v) { int n = 0; for (int i = 0; i < 9000; i++) n += one(i) + two(i); return n == 1 ? rare(n) : 0; }\n' > twice.c
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -g -static -o twice one.c two.c twice.c
pcemu --core inorder --no-program --profile oracle,counter:event=cycles:period=101:random,counts --max-insts 100k --collect d.db -o report.txt ./twice > /dev/null 2> err
try pcprof calc d.db:default same 2>&1 | sed 's/0x[0-9a-f]*/(address)/g'
try pcprof calc d.db:default twice:same 2>&1 | sed 's/0x[0-9a-f]*/(address)/g'
try pcprof calc d.db:default sort:same
try pcprof calc d.db:default twice:rare
try pcprof calc d.db:default twice:0x7
try pcprof calc d.db:default sort:0x7
# Sources are found by the last parts of their paths.
mkdir src && mv one.c src
for folder in src/one.c . src; do pcprof annotate --source-dir $folder d.db:default same 2>&1 | grep -c 'return x'; done
sqlite3 s.db "DELETE FROM code"
try pcprof cfg s.db:inorder main
try pcprof summary s.db:inorder
