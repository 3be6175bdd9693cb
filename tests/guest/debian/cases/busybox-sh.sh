# SPDX-License-Identifier: GPL-3.0-or-later
cat > s <<'S'
fact() { [ "$1" -le 1 ] && echo 1 || echo $(($1 * $(fact $(($1 - 1))))); }
fact 10
for i in 1 2 3; do echo "line $i"; done | while read -r a b; do echo "$b $a"; done
(exit 5); echo "status $?"
x=$(cat <<H
here $((6 * 7))
H
)
echo "$x"
trap 'echo leaving' EXIT
set -- a 'b c' d; echo "$# $2"
case abc in a*) echo matched;; esac
{ echo one; echo two; } > f; wc -l < f
exit 3
S
$RUN $BIN/busybox sh s
