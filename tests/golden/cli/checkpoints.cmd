# Options of checkpoints, and what --restore refuses. make check-checkpoints runs on from them.
cp "$workloads/branchy" .
try() { echo "\$ $*"; "$@" 2>&1; echo "-> $?"; }
run() { try pcemu --no-program "$@" ./branchy > out; grep -v '^branchy' out; }
run --checkpoint-at 100k
run --checkpoint-at 100k -o -
run --checkpoint-at 100k,,2 -o ck
run --checkpoint-at 1x -o ck
run --checkpoint-at 0,100k -o ck
run --checkpoint-every 0 -o ck
run --checkpoint-every 100k -o ck --profile oracle
# No option that writes a file, except -o, goes with checkpoints.
for option in stats perf kanata timeline trace-file record collect; do
    run --checkpoint-at 100k -o ck "--$option" x
done
try pcemu --checkpoint-at 100k -o ck --record-samples x ./branchy
run --checkpoint-at 100k -o ck --skip-insts 5
run --checkpoint-at 100k -o ck --warmup 5
# A file of places. Those that the run does not reach are named.
printf '# places\n 30k # the first\n\n20k\n0x7530\n' > places
run --checkpoint-at @places --max-insts 50k -o listed
for file in listed/*; do echo "$file"; done
seq 10000 1000 60000 > places
run --checkpoint-at @places --max-insts 50k -o many
for file in many/*; do echo "$file"; done | wc -l
printf '1k\n2x # 3\n' > places
run --checkpoint-at @places -o none
printf '# none\n' > places
run --checkpoint-at @places -o none
run --checkpoint-at @absent -o none
run --checkpoint-at @ -o none
run --checkpoint-at 100k -o ck --confine
run --checkpoint-at 200k,100k --checkpoint-every 150k --max-insts 200k -o ck
for file in ck/*; do echo "$file"; done
run --checkpoint-at 100k --max-insts 100k -o ck
run --checkpoint-at 100k -o branchy
echo text > plain
run --checkpoint-at 100k -o plain
# Places that the run does not come to.
run --checkpoint-at 1k,1M,2M,1M --max-insts 2k -o early
run --checkpoint-at 1G,2G -o late
try pcemu --core functional --restore absent
try pcemu --core functional --restore branchy
try pcemu --core functional --restore ck
try pcemu --core functional ck/100000.ckpt
try pcemu --core functional --confine --restore ck/100000.ckpt
try pcemu --core samples:x --restore ck/100000.ckpt
try pcemu --core functional --max-insts 1000 --restore ck/100000.ckpt
head -c 20 ck/100000.ckpt > cut.ckpt
try pcemu --core functional --restore cut.ckpt
# The program and its arguments are those of the checkpoint.
try pcemu --core functional --max-insts 1000 --restore ck/100000.ckpt ./branchy
try pcemu --core functional --max-insts 1000 --restore ck/100000.ckpt ./branchy 5
try pcemu --core functional --max-insts 1000 --restore ck/100000.ckpt --env A=1
# A checkpoint goes on to further ones, behind it.
try pcemu --restore ck/100000.ckpt --checkpoint-at 100k,120k --max-insts 20k -o more
try pcemu --restore ck/100000.ckpt --checkpoint-at 90k --max-insts 20k -o more
try pcemu --restore ck/100000.ckpt --checkpoint-at 120k --max-insts 20k -o more
for file in more/*; do echo "$file"; done
# Caches and predictors that the run has warmed. What is configured otherwise is cold.
run --warm --checkpoint-at 120k --max-insts 120k -o warm
run --warm
look() { try pcemu --no-program --profile tip:period=101 --max-insts 1000 "$@" -o - > out; grep -v '^branchy' out | head -n 12; }
look --restore warm/120000.ckpt
look --restore warm/120000.ckpt --config ev5 --set clock_mhz=3200
# A structure that was perfect has nothing to be warmed with.
run --warm --set predictor=perfect --checkpoint-at 120k --max-insts 120k -o perfect
look --restore perfect/120000.ckpt
printf '150k\n110k\n' > places
try pcemu --restore warm/120000.ckpt --checkpoint-at @places -o more
