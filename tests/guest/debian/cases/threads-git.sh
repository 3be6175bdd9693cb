# SPDX-License-Identifier: GPL-3.0-or-later
# packages: git
# threads: git
G="$RUN $BIN/git -c user.name=N -c user.email=e@x -c pack.threads=4 -c grep.threads=4 -c core.fsync=none -c gc.auto=0"
export GIT_CONFIG_NOSYSTEM=1
$G init -q -b main r; cd r || exit; for i in 1 2 3 4 5 6 7 8; do seq $i 2 900 > f$i; done
$G add . ; $G ls-files -s; T=$($G write-tree); echo $T
$G diff --cached --stat 4b825dc642cb6eb9a060e54bf8d69288fbee4904 | cat
$G grep -c 77; $G rev-parse --show-toplevel | sed 's,.*/,,'
for i in 1 2 3 4 5 6 7 8; do $G rev-parse :f$i; done > ids; $G pack-objects -q p < ids; ls p-*
$G index-pack --threads=4 -v p-*.pack 2> /dev/null; $G verify-pack -v p-*.idx | sort; cat p-*.pack | $G unpack-objects -q; $G fsck
find . -exec touch -h -d '2020-01-01' {} +; rm .git/index
