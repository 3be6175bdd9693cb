# A command that is refused ends a script, and the script that called it, and decides the exit status.
. "$here"/common.sh
try() { pcemu --core samples:samples -o report "$@"; echo "-> $?"; }
echo "== before the end of the run"
printf 'next\nbogus\necho not executed\n' > fails
try -x fails
echo "== after it, with a report"
printf 'continue\nprint nonsuch\necho not executed\n' > late
try -x late
wc -l < report
echo "== in a script of a script"
printf '# calls fails\nsource fails\necho not executed\n' > calls
try -x calls
printf 'source nothing\necho not executed\n' > none
try -x none
echo "== standard input goes on"
printf 'source calls\necho executed\nquit\n' | try -x -
printf 'bogus\ncontinue\n' | try -x -
echo "== a line that is too long"
{ printf 'echo '; head -c 2000 /dev/zero | tr '\0' x; echo; echo 'echo not executed'; } > long
try -x long 2>&1 | cut -c1-60
echo "== the guest's status comes first"
pcemu --core inorder -o report -x late "$build/tests/terminal/forever" crash > /dev/null 2>&1 || echo "-> $?"
echo "== none is refused"
printf 'next\n# a comment\n\nquit\n' > good
try -x good
