# Samples without end, interrupted: what there is is reported, and said to be partial, by any signal that asks for the end. The trace, of which a line
# has been read, says that the run has begun; a question how far it is does not end the run.
pcasm "$programs/edge.pasm"
echo 'branch pc=0x2000 taken=1 x1000000000000' > samples
mkfifo trace
for signal in INT TERM HUP; do
    env --default-signal=$signal pcemu --core samples:samples --trace cop --trace-file trace -o report 2> said & pid=$!
    {
        read -r line
        kill -USR1 $pid
        kill -$signal $pid
        cat > rest
    } < trace
    wait $pid
    echo "-> $?"
    grep -v '^pcemu: run: ' said
    grep -c PARTIAL report
done
sed -n '/by the largest/,/^key/p' report
# A guest that waits ends too, and its child, which is told nothing, by the signal itself.
printf '%s\n' '#include <stdio.h>' '#include <signal.h>' '#include <sys/wait.h>' '#include <unistd.h>' 'int main(void) {' \
    'int s; pid_t child = fork(); while (child == 0) pause();' 'kill(child, SIGTERM); waitpid(child, &s, 0);' \
    'printf("child ended by %d\n", WTERMSIG(s)); fflush(stdout); char c; return (int)read(0, &c, 1); }' |
    "${RVCC:-riscv64-linux-gnu-gcc}" -static -o waits -x c -
mkfifo in out
env --default-signal=TERM pcemu --core functional --no-program ./waits < in > out 2> said & pid=$!
exec 3> in 4< out
read -r line <&4
echo "$line"
kill -TERM $pid
wait $pid
echo "-> $?"
cat said
