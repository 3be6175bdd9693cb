# A signal from outside ends a run whose guest waits in any call: with a report that is partial, and the status of the
# signal.
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -w -static -pthread -o wait "$here/../../guest/vectors/guest_blocking.c"
mkfifo out
# run SIGNAL CALL OPTION...: sends the signal when the guest is ready and the process sleeps, and shows what remains. A
# run that goes on is killed.
run() {
    signal=$1 call=$2
    shift 2
    env --default-signal pcemu "$@" --no-program -o report ./wait wait "$call" > out 2> said & pid=$!
    exec 4< out
    read -r ready <&4
    [ "$ready" = ready ] || echo "not ready: $ready"
    until grep -q '^State:.*sleeping' /proc/$pid/status || ! kill -0 $pid; do :; done
    kill -"$signal" $pid
    timeout 30 tail -s 0.01 --pid=$pid -f /dev/null || kill -KILL $pid
    exec 4<&-
    status=0
    wait $pid || status=$?
    echo "$call, $signal: $status, $(sed -n 's/^pcemu: //; /profile/!p' said), $(grep -c '^PARTIAL' report) partial"
    rm -f report fifo file lock socket
}
calls="open-read open-write connect accept accept-family close futex sendfile-pipe sendfile-socket splice-full splice-empty splice-socket tee
    vmsplice read write-pipe write-socket write-big-pipe write-big-socket send-big recv recv-whole recvmsg-whole flock
    setlkw ofd-setlkw open-lease truncate-lease write-terminal read-terminal read-terminal-many sendfile-terminal
    splice-terminal write-counter write-counter-family vfork"
for call in $calls; do run TERM "$call" --core functional; done
for call in $calls; do run INT "$call" --core inorder; done
for call in $calls; do run TERM "$call" --core ooo --harts 2; done
