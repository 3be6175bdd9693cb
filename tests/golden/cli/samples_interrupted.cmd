# Samples without end, interrupted: what there is is reported, and said to be partial. The trace, of which a line has been read, says that the run has
# begun; a question how far it is does not end the run.
pcasm "$programs/edge.pasm"
echo 'branch pc=0x2000 taken=1 x1000000000000' > samples
mkfifo trace
env --default-signal=INT pcemu --core samples:samples --trace cop --trace-file trace -o report 2> said & pid=$!
{
    read -r line
    kill -USR1 $pid
    kill -INT $pid
    cat > rest
} < trace
wait $pid
echo "-> $?"
grep -v '^pcemu: run: ' said
grep -c PARTIAL report
sed -n '/by the largest/,/^key/p' report
