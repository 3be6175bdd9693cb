# Which file an output is written to, and what becomes of it when the run is killed.
source=$programs/edge.pasm
pcasm -o expected "$source"
state() { stat -c '%A %h %N' "$@"; }
try() { "$@"; status=$?; [ $status = 0 ] || echo "-> $status"; }
# The file behind a link, whether it exists or not; its permissions.
mkdir folder
echo old > folder/old; chmod 600 folder/old
ln -s folder/old link; ln -s link chain; ln -s folder beside; ln -s folder/new dangling; ln -s loop loop
for to in chain dangling beside/other; do try pcasm -o $to "$source"; done
try pcasm -o loop "$source"
state link chain dangling folder/*
for name in old new other; do cmp folder/$name expected; done
# The file of several names stays one; a file without permission to write stays what it was.
echo old > one; ln one two
try pcasm -o one "$source"
state one two; cmp two expected
unprivileged() {
    if [ "$(id -u)" = 0 ]; then set -- setpriv --reuid=65534 --regid=65534 --clear-groups "$(command -v pcasm)" "$@"
    else set -- pcasm "$@"; fi
    "$@"
}
echo old > closed; chmod 444 closed; chmod 777 .
try unprivileged -o closed "$source"
cat closed
# In a folder in which no file can be made, a file that can be written is.
mkdir full; echo old > full/open; chmod 666 full/open; chmod 555 full
try unprivileged -o full/open "$source"; cmp full/open expected
try unprivileged -o full/new "$source"
chmod 755 full; state full/*; rm -r full
# A name with the most bytes that a file system allows.
long=$(printf '%0255d' 0)
try pcasm -o "$long" "$source"; cmp "$long" expected; rm "$long"
# Pipes, open files.
mkfifo pipe
cat pipe > through & try pcasm -o pipe "$source"; wait; cmp through expected
{ echo head; pcasm -o /dev/stdout "$source"; echo tail; } > all
{ echo head; cat expected; echo tail; } | cmp - all
ln -s /dev/fd/3 third; { try pcasm -o third "$source"; } 3> all; cmp all expected
# Two outputs to one file, by links.
try pcasm -o dangling -l folder/new "$source"
ln -s folder/newer newer; try pcasm -o newer -l folder/newer "$source"
ln -s /dev/stdout screen; try pcasm -o - -l screen "$source"; try pcasm -o screen --cost "$source"
printf 'branch pc=0x100 taken=1\n' > samples; cp expected pc.out
try pcemu --core samples:samples -o screen --trace cop --trace-file -
try pcemu --core samples:samples --stats newer -o folder/newer
ls -A . folder; rm -rf -- * .[!.]*
# A run that is killed leaves a file whose name says what it is; the next run to the same file removes it. One that is
# being written by another run is not touched.
pcasm "$source"; mkfifo in
exec 4<> in
pcemu --core samples:- -o report < in & first=$!
until [ -e .report.partial ] || ! kill -0 $first; do :; done
pcemu --core samples:- -o report < in & second=$!
until [ -e .report.2.partial ] || ! kill -0 $second; do :; done
ls -A
{ kill -9 $first; wait $first; } 2> wait
ls -A
{ kill -9 $second; wait $second; } 2> wait
printf 'branch pc=0x100 taken=1\n' > samples
try pcemu --core samples:samples -o report
ls -A; grep -c '^samples' report
# A file of that name that is none of ours stays there.
mkfifo .other.partial; try pcemu --core samples:samples -o other; ls -A
# A limit of file sizes is a message. It must not cut the counts of lines that a build with them keeps.
rm other .other.partial; echo old > small
GCOV_PREFIX=$(mktemp -d); export GCOV_PREFIX
(ulimit -f 0; try pcasm -o small "$source"; try pcasm -o new "$source"; try pcemu --core samples:samples --stats small) 2>&1 | cat
cat small; ls -A
rm -rf "$GCOV_PREFIX"
