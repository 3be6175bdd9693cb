# SPDX-License-Identifier: GPL-3.0-or-later
# packages: ksh93u+m zsh mksh tcsh
cat > s <<'S'
f() { local_x=$1; echo "f $local_x $#"; }
f a b; i=0; while [ $i -lt 5 ]; do i=$((i + 1)); [ $i -eq 3 ] && continue; echo "i $i"; done
case abc in a*) echo yes;; esac; echo $((7 * 6)) ${#PATH}; x=hello; echo ${x#he} ${x%lo} ${y:-none}
trap 'echo bye' EXIT; (exit 3); echo $?; for w in one two; do echo $w; done | while read -r l; do echo "<$l>"; done
S
$RUN $BIN/ksh93 s; $RUN $BIN/zsh -f < s; $RUN $BIN/mksh s
printf 'set l = (a b c)\nforeach x ($l)\n  echo $x\nend\n@ n = 6 * 7\necho $n $#l\n' > c; $RUN $BIN/tcsh -f c
