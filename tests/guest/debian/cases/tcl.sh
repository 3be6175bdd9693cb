# SPDX-License-Identifier: GPL-3.0-or-later
cat > s.tcl <<'S'
proc fib n { expr {$n < 2 ? $n : [fib [expr {$n - 1}]] + [fib [expr {$n - 2}]]} }
puts [fib 15]; puts [lsort -integer {5 3 9 1}]; puts [regsub -all {a(.)} "abac" {<\1>}]; puts [exec echo hi | tr a-z A-Z]
dict set d k v; puts [dict get $d k]; puts [format %.4f [expr {sqrt(2) * acos(-1)}]]; catch {error oops} m; puts $m
set f [open out w]; puts $f "line"; close $f; puts [catch {exec sh -c "exit 3"} r o]; exit 2
S
TCL_LIBRARY='' $RUN $BIN/tclsh8.6 s.tcl
