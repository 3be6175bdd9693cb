# SPDX-License-Identifier: GPL-3.0-or-later
cat > s <<'S'
exec 3>log 4<&0; echo three >&3; echo err 2>&1 >&2 | cat; { echo out; echo err >&2; } 2>/dev/null; read -r l <&4; echo "$l"
cat <<A; cat <<B
a $(echo 1)
A
b
B
echo append >> log; echo more >> log; cat log; : > log; wc -c < log; (cd /; pwd); echo "$(</dev/null)"; umask 077; echo x > private; umask
S
echo input | $RUN $BIN/dash s; stat -c %a private
