# SPDX-License-Identifier: GPL-3.0-or-later
# cores: functional ooo check
cat > s <<'S'
i=0
while [ $i -lt 200 ]; do i=$((i + 1)); done; echo $i
echo "$(echo a; (echo b; exit 4); echo $?)"
printf '%s\n' x y z | sort -r | head -n 2
cat > file; ls; rm file; kill -TERM $$
S
$RUN $BIN/dash s; echo "status $?"
