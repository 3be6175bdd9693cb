# Inputs without an end, of something else than what is expected, are refused by their beginning; a pipe is read to its
# end.
try() { "$@" 2>&1 | cut -c 1-90 | head -n 2; }
pcasm "$programs/simple.pasm" -o simple.pc
for file in /dev/zero /dev/urandom; do
    pcemu --program simple.pc --core samples:$file > out 2> err || echo "$file: exit status $?"
    grep -c 'larger than' err
    pcprof show $file > out 2> err || echo "$file: exit status $?"
    grep -c 'larger than' err
done
yes | try pcemu --program simple.pc --core samples:-
yes 'false' | try pcprof show -
yes 'load pc=0x10400 result=7' | head -n 10000 | pcemu --program simple.pc --core samples:- -o report.txt
grep 'samples processed' report.txt
