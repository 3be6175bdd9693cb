# pcprof whatif: its questions are accepted by pcemu, and are those of the store; of a library and of what has no name;
# the gains of repeated runs are means; errors.
cp "$build/cases/below.before" below
run() { pcemu --no-program --profile "$@" > out 2> err || cat err; }
run oracle,graph --collect graph.db -o report ./below
pcprof whatif graph.db -n 4
echo '== asked, by the command that it prints'
pcprof whatif graph.db -n 4 -o questions
sh -c "$(sed -n '$s/^# //p' questions | sed 's/-o report/--format json -o gains.json/')" > out 2> err || cat err
jq -r '.gains.instructions[] | .asked' gains.json | sort > asked
sed -n 's/ #.*//; /^[^#]/p' questions | sort | cmp - asked && echo 'the questions of the report'
jq -c '[.gains.instructions[] | .pc[2:] + ":" + .removed] | sort' gains.json > found
pcprof prof --by instruction --format json --event gain.branch@graph --event gain.latency@graph --event gain.dtlb+l1d@graph graph.db:1 |
    jq -c '[.instructions[] | .address[2:] as $at | to_entries[] | select(.key | startswith("gain.")) | select(.value.estimate > 0)
        | [.value.estimate, $at + ":" + .key[5:]]] | sort | reverse | .[:4] | map(.[1]) | sort' > expected
cmp found expected && echo 'the instructions with the largest estimates'
echo '== two runs have the estimates, one the measured gains: neither adds up'
pcprof whatif graph.db -n 1
pcprof whatif graph.db:1,2 -n 9 --event gain.latency@gain | grep -v '^# pcemu'
pcprof why graph.db | grep '^Without'
echo '== a run whose windows have missed an instruction estimates 0 for it'
# shares PROFILER RUNS: each gain.latency of a run by the profiler, as a share of its cycles.
shares() {
    for n in $2; do
        cycles=$(pcprof list --format json means.db:$n | jq '.runs[0].cycles')
        pcprof prof --by instruction --format json --event "gain.latency@$1" means.db:$n 2> err |
            jq -r --argjson cycles "$cycles" '.instructions[] | "\(.address) \(.["gain.latency"].estimate / $cycles)"'
    done
}
asked() { pcprof whatif means.db:$2 -n 1000 --event "gain.latency@$1" | sed -n 's/.* estimated gain \([0-9.]*\) %.*/\1/p'; }
for seed in 1 2; do run graph:period=100000 --seed $seed --collect means.db -o report ./below; done
shares graph '1 2' | awk '{ sum[$1] += $2; runs[$1]++ }
    END { for (at in sum) { printf "%.2f\n", sum[at] / 2 * 100; part += runs[at] == 1 } exit part == 0 }' > means || echo 'all are in both runs'
sort -rn means > expected
asked graph 1,2 | cmp - expected && echo 'their mean'
echo '== two profilers in a run: the one that is named'
run graph:period=100000:seed=1,graph:period=1000:seed=2 --collect means.db -o report ./below
for profiler in graph:period=100000:seed=1 graph:period=1000:seed=2; do
    shares $profiler 3 | awk '{ printf "%.2f\n", $2 * 100 }' | sort -rn > expected.$profiler
    asked $profiler 3 | cmp - expected.$profiler && echo "$profiler"
done
cmp expected.* > out || echo 'they differ'
echo '== all causes at once'
echo 'main+0x2e:all' > questions
run oracle --gain questions --collect all.db -o report ./below
pcprof whatif --event gain.all all.db
pcprof why all.db | grep '^Without all'
echo '== by time, and by another event; the causes of the kind'
run oracle,counts --gain=2 --collect time.db -o report ./below 'two words' "it's"
pcprof whatif time.db:1 --event cycles -n 5
pcprof whatif time.db --event retired-dcache-miss -n 1
run oracle --collect only.db -o report ./below
pcprof whatif only.db -n 1
echo '== functions of one name, and code without symbols'
mkdir one && cd one
for file in a b; do
    printf 'static __attribute__((noinline)) long twice(long n) { long s = 1; while (n > 0) s += n-- / s; return s; }\nlong %s(long n) { return twice(n); }\n' $file > $file.c
done
printf 'long a(long n), b(long n);\nint main(void) { return a(3000) == b(2000); }\n' > main.c
riscv64-linux-gnu-gcc -O1 -static -o ../twice main.c a.c b.c
riscv64-linux-gnu-gcc -O1 -shared -fPIC -o ../libab.so a.c b.c
riscv64-linux-gnu-gcc -O1 -o ../linked main.c -L.. -lab '-Wl,-rpath,$ORIGIN'
cd ..
run oracle,graph --collect twice.db -o report ./twice
pcprof whatif twice.db -n 2 | tee questions
run oracle --gain questions -o - ./twice && sed -n '/^Instructions by gain/,$p' out | awk '/twice@/ { print $NF ? "found" : "" }' | sort | uniq -c | tr -s ' '
riscv64-linux-gnu-objcopy --strip-all --remove-section .eh_frame --remove-section .eh_frame_hdr twice nameless
run oracle,graph --collect nameless.db -o report ./nameless
pcprof whatif nameless.db -n 2 > questions
grep -c '^0x[0-9a-f]*:latency #' questions
run oracle --gain questions --format json -o gains.json ./nameless && jq '.gains.instructions | length' gains.json
echo '== gains do not add up: a procedure, an image and the whole have the largest, and no shares'
by() { pcprof prof --format json --event gain.branch@graph --by "$@" graph.db:1; }
# largest NAME: of the instructions with the same name, in a jq expression, the largest value.
largest() { by instruction | jq -c "[.instructions[] | [($1), .[\"gain.branch\"].estimate]] | group_by(.[0]) | map(max_by(.[1])) | .[]" | sort; }
rows() { by $1 | jq -c ".${1}s[] | [.$1, .[\"gain.branch\"].estimate]" | sort; }
largest '.procedure | sub("[+]0x[0-9a-f]*$"; "")' > expected
rows procedure | cmp - expected && [ "$(by instruction | jq '.instructions | length')" -gt "$(wc -l < expected)" ] && echo 'by procedure'
largest .image > expected
rows image | cmp - expected && echo 'by image'
by instruction | jq -c '[.events[0].estimate == ([.instructions[] | .["gain.branch"].estimate] | max), (.instructions[0]["gain.branch"] | keys[])]'
pcprof prof --top 2 --event gain.branch@graph graph.db:1
pcprof annotate --event gain.dtlb+l1d@graph graph.db:1 main | grep -E 'Lines of main|[0-9] .*below.c:[0-9]+ ' | sed 's, *\(below.c:[0-9]*\).*, \1,'
echo '== a library: after a part that is skipped its functions are known'
run oracle -L /usr/riscv64-linux-gnu --collect library.db -o report ./linked
pcprof whatif library.db -n 2 --event cycles > questions
sed -n '/libab/p' questions
echo "$(grep -c '^[^#]' questions) asked, $(grep -c '^# not asked: .*:' questions) not asked, and others: $(grep -c '^# not asked: [0-9]* other' questions)"
run oracle --skip-insts 1 -L /usr/riscv64-linux-gnu --start-at main --collect skipped.db -o report ./linked
pcprof whatif skipped.db -n 2 --event cycles | tee questions
sed -n 's/ #.*//; /^[^#]/p' questions | sort > expected
sh -c "$(sed -n '$s/^# //p' questions | sed 's/-o report/--format json -o gains.json/')" > out 2> err || cat err
jq -r '.gains.instructions[] | .asked' gains.json | sort | cmp - expected && echo 'found in the library'
echo '== a run of a checkpoint knows the libraries; the command has no guest'
pcemu --no-program -L /usr/riscv64-linux-gnu --checkpoint-at 120k -o checkpoints ./linked 2> err
pcemu --no-program --rest=checkpoints/120000.ckpt --profile oracle --collect restored.db -o report
pcprof whatif restored.db -n 2 --event cycles | tee questions
sed -n 's/ #.*//; /^[^#]/p' questions | sort > expected
sh -c "$(sed -n '$s/^# //p' questions | sed 's/-o report/--format json -o gains.json/')" > out 2> err || cat err
jq -r '.gains.instructions[] | .asked' gains.json | sort | cmp - expected && echo 'found in the library'
echo '== words of the command: an argument like an option, an abbreviation, the guest as an argument'
run oracle --prof counts --env=A='it is' -E --gain=2 --gai 1 --skip-i 10 --coll command.db -vo report -L . ./below --gain 3
pcprof whatif command.db -n 1 --event cycles | tail -n 1
echo '== in order, the time can be a wait'
run oracle --core inorder --collect inorder.db -o report ./below
pcprof whatif inorder.db -n 1
run oracle --core inorder --gain 1 --collect inorder.db:gain -o report ./below
pcprof whatif inorder.db:gain -n 1 --event gain.branch@gain | grep -c 'The time of'
echo '== errors'
pcprof whatif
pcprof whatif none.db
pcprof whatif graph.db -n 0
pcprof whatif graph.db -n 1001
pcprof whatif graph.db --event gain.brunch
run counts --collect counts.db -o report ./below
pcprof whatif counts.db
pcprof whatif -n 3 --pairs graph.db
pcprof whatif graph.db -o no/such/folder
pcprof diff graph.db:default graph.db:default --event gain.branch
pcprof stats graph.db --event gain.branch@graph
