# Parameters of a program: the report names those in force, --param sets them, and no other.
try() { "$@"; echo "-> $?"; }
cp "$programs/value-paper.pasm" . && pcasm -D SPLIT=0 value-paper.pasm
run() { echo "pcemu $*"; pcemu --format json -o report.json --max-insts 100k "$@" "$workloads/invariant" > out; jq -c .parameters report.json; }
run
run --param resample=0
run --param resample=0x14 --param recheck=0 --param resample=30
pcemu -o - --max-insts 100k --param split=1 "$workloads/invariant" | grep parameters
for setting in resampel=5 x=5 resample resample= resample=ten resample=-1 resample=1001 recheck=2; do
    try pcemu --param "$setting" "$workloads/invariant"
done
# A program without a driver of its own has them too; one that has none says so.
printf '.filter class load\n.entry load go\n.param depth = -1\ngo: done\n' | pcasm -o depth.out -
run --program depth.out
run --program depth.out --param depth=-3
printf '.filter class load\n.entry load go\ngo: done\n' | pcasm -o none.out -
run --program none.out
try pcemu --program none.out --param depth=1 "$workloads/invariant"
try pcemu --no-program --param depth=1 "$workloads/invariant"
try pcemu --core functional --param depth=1 "$workloads/invariant"
# They hold for a program that the debugger loads as well.
printf '.filter class load\n.entry load go\n.param width = 4\ngo: done\n' > width.pasm
printf 'reload\nreload width.pasm\ncontinue\n' > script
cp "$workloads/invariant" . # the path is on the guest's stack
pcemu --format json -o report.json --max-insts 1k --param split=0 -x - ./invariant < script > out
jq -c .parameters report.json
