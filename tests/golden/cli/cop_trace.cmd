# The co-processor's trace, over samples from a file: waiting, every outcome of a branch, an interrupt and its service, drops, a divided clock.
cat > s <<'END'
load pc=0x10400 result=7 x3
@100 load pc=0x10400 result=8
+0 load pc=0x10408 result=9 x2
END
cat > two.pasm <<'END'
        .program two
        .base   rows = 0
        .index  n, width 1
        .filter class load, store
        .entry  load count
        .entry  store stray
        .slot   rows[2] {
            sum : 32
            low : 32
        }
count:  add     rows[n].sum, result32 -> v1 | inc n | if limit goto full
        done
stray:  mov.32  result32 -> v0
full:   interrupt
END
run() { echo "pcemu $*"; pcemu --core samples:s --trace cop -o /dev/null "$@" 2>&1; echo "= $?"; }
pcasm two.pasm
pcasm -o value "$programs/value-paper.pasm"
run --program value --trace-window cycles:0-128
run --trace-window cycles:0-30 --set host_free=1
run --trace-window cycles:96-124 --set cop_clock_divide=8 --set host_free=1
printf '@10 load pc=0x10400 result=1 x33\n+0 store pc=0x10404 result=3\n' > s
run --trace-window cycles:10-14 --set cop_buffer_bytes=128
run --trace-window cycles:10-11 --set cop_buffer_bytes=128 --set cop_early_drop=0
run --trace-window insts:0-5
run --trace-window main
run --trace cop,fetch
pcemu --core functional --trace cop true
echo "== samples alone: the same lines as of cop"
printf '@10 load pc=0x10400 result=1 x33\n+0 store pc=0x10404 result=3\n' > s
pcemu --core samples:s --trace cop-samples --set cop_buffer_bytes=128 -o /dev/null 2> samples
pcemu --core samples:s --trace cop --set cop_buffer_bytes=128 -o /dev/null 2>&1 | grep -E '^ *[0-9]+ (sample|drop)' | cmp - samples && cat samples
pcemu --core samples:s --trace cop,cop-samples --set cop_buffer_bytes=128 --trace-file both -o /dev/null
pcemu --core samples:s --trace cop --set cop_buffer_bytes=128 -o /dev/null 2>&1 | cmp - both && echo same
pcemu --no-program --trace cop-samples true
echo "== a co-processor that stops"
printf '.program endless\n.filter class load\n.entry load turn\nturn: nop\nnop | goto turn\n' > endless.pasm
pcasm -o endless endless.pasm 2> /dev/null
printf 'load pc=0x10400\n@40 load pc=0x10404\n' > s
run --program endless --set cop_runaway_words=5
