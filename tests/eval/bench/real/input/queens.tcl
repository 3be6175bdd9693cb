# SPDX-License-Identifier: GPL-3.0-or-later
# tcl: queens on a board of 7, and a dictionary of the words of a text.
proc place {row n columns up down} {
    if {$row == $n} { return 1 }
    set found 0
    for {set c 0} {$c < $n} {incr c} {
        if {($columns >> $c) & 1 || ($up >> ($row + $c)) & 1 || ($down >> ($row - $c + $n)) & 1} continue
        incr found [place [expr {$row + 1}] $n [expr {$columns | 1 << $c}] [expr {$up | 1 << ($row + $c)}] \
            [expr {$down | 1 << ($row - $c + $n)}]]
    }
    return $found
}
puts [place 0 7 0 0 0]
set file [open text]
set count [dict create]
foreach line [lrange [split [read $file] \n] 0 3999] {
    foreach word [split [string tolower $line]] { dict incr count [string trim $word ".,"] }
}
foreach {word n} [lrange [lsort -stride 2 -index 1 -integer -decreasing $count] 0 19] { puts "$word $n" }
puts [string length [join [lsort [dict keys $count]] ,]]
