# SPDX-License-Identifier: GPL-3.0-or-later
cat > s <<'S'
set -o pipefail
declare -A m=([one]=1 [two]=2)
for k in "${!m[@]}"; do echo "$k=${m[$k]}"; done | sort
echo {1..5} "${BASH_VERSINFO[0]}"
false | true; echo "pipe $?"
(echo sub; exit 3) || echo "sub $?"
x=$(printf '%s ' a b c | tr a-z A-Z); echo "<$x>"
cat <<H | sed 's/e/E/g'
here $(echo nested $(echo deeper))
H
read -r first rest <<< "one two three"; echo "$rest"
while read -r l; do echo "got $l"; done < <(seq 3)
trap 'echo usr1' USR1; kill -USR1 $$; trap - USR1
sleep 0.2 & p=$!; wait $p; echo "waited $?"
(sleep 30) & kill $!; wait $! 2>/dev/null; echo "killed $?"
[[ abc =~ ^a(.)c$ ]] && echo "${BASH_REMATCH[1]}"
mapfile -t lines < <(printf 'l1\nl2\n'); echo "${#lines[@]}"
coproc cat; echo through >&"${COPROC[1]}"; read -r back <&"${COPROC[0]}"; echo "$back"
printf '%(%Y)T\n' 0; echo $((2#1011 ** 2))
exec 5> out; echo five >&5; exec 5>&-; cat out
nonexistent-command 2>/dev/null; echo $?
S
$RUN $BIN/bash s
