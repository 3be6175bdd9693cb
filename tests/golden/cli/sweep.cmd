# Commands of pcsweep. Ids of jobs depend on the build, and are left out.
pcsweep
pcsweep pln
pcsweep help plan | head -n 1
pcsweep plan
pcsweep plan missing.conf
hidden() { sed -E 's/[0-9a-f]{40}/ID/g; s/[0-9a-f]{9,}[.]{3}/ID.../g; s/^[0-9a-f]{12} /ID /'; }

cp "$workloads/invariant" "$workloads/branchy" "$programs/value.pasm" .
printf 'exit 3\n' > input
cat > study.conf << 'STUDY'
seeds = {1, 2}
baseline = boom
profilers = {"oracle", "tip:period=997"}
options = {"--max-insts=20000"}
outputs = {store, statistics}
program invariant { command = "invariant" arguments = {"2"} }
program branchy {
    command = branchy   # of this folder
    arguments = {1}
    input = "input"
    instructions = 20000
}
configuration boom {}
configuration small { base = "boom" set = {"rob_entries=32"} }
configuration also { base = boom }
profile time {}
profile value { program = "value.pasm" }
jobs all { configurations = {boom, small} }
jobs again { programs = invariant configurations = also profiles = time seeds = 1 }
STUDY

echo "== mistakes"
mistake() {
    sed "$1" study.conf > wrong.conf
    pcsweep plan wrong.conf -o wrong
    rm -rf wrong
}
mistake 's/seeds =/sedes =/'
mistake 's/baseline = boom/baseline = bom/'
mistake 's/tip:/tpi:/'
mistake 's/max-insts/max-inst/'
mistake 's/max-insts=20000/max-insts/'
mistake 's/--max-insts=/--seed=/'
mistake 's/{store, statistics}/{stor}/'
mistake 's/command = branchy/comand = branchy/'
mistake 's/arguments = {1}/args = {1}/'
mistake 's/arguments = {"2"} }/arguments = {"2"}/'
mistake 's/baseline = boom/against = boom/'
mistake 's/command = branchy/command = branhcy/'
mistake 's/command = branchy/command = branchy command = branchy/'
mistake 's/ command = "invariant"//'
mistake 's/rob_entries/rob_entres/'
mistake 's/entries=32/entries=3/'
mistake 's/base = boom/base = bom/'
mistake 's/configuration also/configuration boom/'
mistake 's/program branchy/program "bran chy"/'
mistake 's/program branchy/progam branchy/'
mistake 's/programs = invariant/programs = invarient/'
mistake 's/seeds = 1 }/seeds = one }/'
mistake 's/value.pasm/valu.pasm/'
mistake 's/# of this/\/* of this/'
mistake '/^program/,/^}/d'
mistake 's/"boom" set = /"boom" set /'
echo "== plan"
pcsweep plan study.conf -o study
pcsweep plan study.conf
sed 1d study/manifest.jsonl | jq -c '[.names, .seed, .run.command, .run.instructions]' |
    head -n 3 | hidden
echo "== run"
pcsweep run study
pcsweep run study 0000000000000000
pcsweep run missing --all
pcsweep table study 2>&1 | hidden
pcsweep merge study -o study.db 2>&1 | hidden
pcsweep submit study
first=$(sed 1d study/manifest.jsonl | jq -r .id | head -n 1)
pcsweep run study "$(echo "$first" | cut -c 1-20)" "$first" | hidden
pcsweep run study --all | hidden
pcsweep submit study
pcsweep status study --format json | jq -c '[.jobs, .done, .failed, .damaged, .running, .left]'
echo "== a damaged result"
echo x >> "study/results/$first/report.json"
pcsweep merge study -o study.db 2>&1 | hidden
pcsweep run study "$first" 2>&1 | hidden
echo '{' > "study/results/$first/footer.json"
pcsweep status study 2>&1 | grep damaged | hidden
# of a caller that ignores the ends of processes
timeout 60 env --ignore-signal=CHLD pcsweep run study "$first" 2>&1 | hidden
echo "== a failure"
sed 's/instructions = 20000/instructions = 20001/; s/^jobs.*//; s/{1, 2}/1/' study.conf > short.conf
pcsweep plan short.conf
pcsweep run short --all | grep branchy | hidden
pcsweep status short --format csv | grep failed | hidden
pcsweep merge short -o short.db 2>&1 | hidden
pcsweep merge short -o short.db --partial
sqlite3 short.db 'SELECT name FROM epoch'
mkdir most && cp study/manifest.jsonl most && cp -r study/results most && rm -r "most/results/$first"
pcsweep merge most -o most.db --partial
sqlite3 most.db 'SELECT epoch, seed FROM runs LIMIT 3'
pcsweep table short --partial -c cpi | tail -n 2
sed 's/command = "invariant"/command = "invariant" status = 1/; s/^jobs.*//' study.conf > status.conf
pcsweep plan status.conf -o status
pcsweep run status --all > out || echo "exit status $?"
grep -c 'exit status 0 instead of 1' out
sed 's/--max-insts=20000/--max-insts=-1/; s/^jobs.*//; /^profile /d' study.conf > refused.conf
pcsweep plan refused.conf -o refused
pcsweep run refused --all | head -n 1 | hidden
echo "== tables"
pcsweep table study -c cycles
pcsweep table study -c cpi -c time.profilers.profiler=tip:period=997.samples -c time.profilers.0.samples --baseline small --format csv
pcsweep table study -c cpy
pcsweep table study -c statistics.core.retired -c instructions --format csv | grep ^values | cut -d , -f 6,9
pcsweep table study -c statistics.core.retird
pcsweep table study --baseline bom
pcsweep table study -c cpi --plot cpi.gp -o out && gnuplot cpi.gp && grep -c '<svg' cpi.svg
pcsweep table study --format json | jq -c '.values[0], .ratios[0]'
echo "== merge"
pcsweep merge study -o study.db
pcsweep merge study -o again.db && cmp study.db again.db
pcsweep merge study
pcprof list study.db --format csv | head -n 8
sed '/^outputs/d' study.conf > less.conf
pcsweep plan less.conf
pcsweep merge less -o less.db
echo "== another build"
sed "1s/\"pcemu\":\"[0-9a-f]*\"/\"pcemu\":\"$(printf %040d 0)\"/" study/manifest.jsonl > changed
mkdir other && cp changed other/manifest.jsonl && cp -r study/results other
others_build() { sed -E 's/0{40}/NONE/; s/[0-9a-f]{40}/ID/g'; }
pcsweep run other --all 2>&1 | others_build
pcsweep merge other --partial -o other.db 2>&1 | others_build
echo "== submit and bundle"
pcsweep plan study.conf -o fresh
pcsweep submit fresh
pcsweep submit fresh --engine parallel -j 2 --batch 4
wc -l < fresh/batches
pcsweep submit fresh --engine slurm
sed -n '/SBATCH/p' fresh/submit.sh
sh -n fresh/submit.sh
pcsweep bundle fresh
pcsweep bundle fresh -o fresh.tar && tar tf fresh.tar | hidden | sort | uniq -c | sed 's/^ *//' | head -n 40
mkdir moved && tar xf fresh.tar -C moved
moved/fresh/bin/pcsweep run moved/fresh --all > out && pcsweep merge moved/fresh -o moved.db && cmp moved.db study.db
echo "== damaged manifests"
sed '2s/"seed":1/"seed":"1"/' study/manifest.jsonl > fresh/manifest.jsonl; pcsweep status fresh
sed '2s/--seed","1"/--seed","2"/' study/manifest.jsonl > fresh/manifest.jsonl; pcsweep status fresh 2>&1 | hidden
head -c 2000 study/manifest.jsonl > fresh/manifest.jsonl; pcsweep status fresh
echo '[]' > fresh/manifest.jsonl; pcsweep status fresh
: > fresh/manifest.jsonl; pcsweep status fresh
pcsweep status .
