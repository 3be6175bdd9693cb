# SPDX-License-Identifier: GPL-3.0-or-later
cat > s.awk <<'S'
{ c[length($0)]++; s += $1; a[NR] = $1 * 17 % 101 }
END { PROCINFO["sorted_in"] = "@ind_num_asc"; for (k in c) print k, c[k]; printf "%.6f %d\n", sqrt(s), s
  asort(a); print a[1], a[NR]; print gensub(/(a)(b)/, "\\2\\1", "g", "abab"), toupper("x"), strftime("%Y", 0, 1)
  "echo from a command" | getline l; print l; print "to a pipe" | "cat"; close("cat"); print substr("hello", 2, 3), index("abc", "c")
  print log(10), exp(1), atan2(0, -1), int(-3.7), 2 ** 0.5; print > "out"; system("exit 3"); exit 4 }
S
seq 1 500 | $RUN $BIN/gawk -f s.awk
