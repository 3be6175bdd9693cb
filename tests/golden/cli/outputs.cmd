# A device that is full, a folder that is missing, a file system that ends: one error, status 2, no partial file.
try() { "$@"; echo "-> $?"; }
try pcasm -o /dev/full "$programs/edge.pasm"
try pcasm -o missing/pc.out "$programs/edge.pasm"
try pcasm -l /dev/full "$programs/edge.pasm"
ls
pcasm "$programs/edge.pasm"
printf 'branch pc=0x100 taken=1\n' > samples
try pcemu --core samples:samples -o /dev/full
try pcemu --core samples:samples -o missing/report
try pcemu --core samples:samples --stats /dev/full -o report
rm -f report
# Writes beyond the limit fail, as on a full disk, once the signal is ignored.
trap '' XFSZ
(ulimit -f 0; try pcasm -o small "$programs/edge.pasm"; try pcemu --core samples:samples -o small)
ls
# A run that fails leaves no beginnings of its outputs either.
try pcemu --no-program -o report --stats stats --kanata log ./missing
echo 'nonsense' > samples
try pcemu --core samples:samples -o report --stats stats
ls
# What is printed on request and cannot be written is told too.
pcemu --dump-config > /dev/full; echo "status $?"
# Two outputs are two files, by whatever name and whether they are there or not; and none is what the run reads.
printf 'branch pc=0x100 taken=1\n' > samples
mkdir folder
try pcemu --core samples:samples -o new --stats ./folder/../new
echo old > report; ln report other
try pcemu --core samples:samples -o report --stats other
try pcemu --trace cop --trace-file log --core samples:samples -o log
try pcemu --kanata log --stats folder/../log "$workloads/invariant"
try pcemu --kanata - -o - "$workloads/invariant"
try pcemu --core samples:samples -o pc.out
try pcemu --core samples:samples --stats ./samples
try pcemu --core samples:samples -o /dev/null --stats /dev/null
try pcemu --core samples:samples -o - --stats - | grep -c -e '^profiling program' -e '^co-processor, program'
cat report
for tool in pcasm pcdis pcemu pcprof; do
    for option in --help --usage --version; do
        $tool $option > /dev/full; echo "$tool $option: status $?"
    done
done
pcdis > /dev/full; echo "status $?"
pcasm --cost "$programs/edge.pasm" > /dev/full; echo "status $?"
# An empty name, of a variable that is not set, is found before the run; so is a recording that would be mixed with the
# guest's output.
try pcemu --no-program --profile oracle -o '' ./missing
try pcemu --no-program --stats '' ./missing
try pcemu --no-program --record - ./missing
try pcemu --record-samples /dev/stdout ./missing
try pcemu --no-program --perf - "$workloads/invariant"
try pcemu --no-program --core functional --perf perf.data "$workloads/invariant"
