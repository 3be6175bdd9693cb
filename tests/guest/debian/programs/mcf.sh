# SPDX-License-Identifier: GPL-3.0-or-later
# mcf: LEMON's network simplex, over 181.mcf's problem: vehicles and timetabled trips, as a flow of least cost
# packages: liblemon-utils liblemon1.3.1 libglpk40 libamd3 libcolamd3 libsuitesparseconfig7 libltdl7 libmariadb3
# packages also: libssl3t64 libzstd1 libgmp10 libgomp1 libstdc++6 libgcc-s1 zlib1g libc6
# Trip i is the arc from 2i+1 to 2i+2, to be used once; a vehicle leaves the depot (1), goes from trip to later trip,
# and returns (2).
prepare() {
    awk 'function random(n) { state = state * 16807 % 2147483647; return state % n }
        BEGIN {
            state = 7
            trips = 30000
            for (i = 1; i <= trips; i++) {
                arc[m++] = "a 1 " 2 * i + 1 " 0 1 " 1000 + random(500)
                arc[m++] = "a " 2 * i + 1 " " 2 * i + 2 " 1 1 0"
                arc[m++] = "a " 2 * i + 2 " 2 0 1 " 1000 + random(500)
                for (k = 0; k < 12; k++) {
                    j = i + 1 + random(100)
                    if (j <= trips) arc[m++] = "a " 2 * i + 2 " " 2 * j + 1 " 0 1 " 10 + random(400) + j - i
                }
            }
            arc[m++] = "a 1 2 0 " trips " 0"
            print "p min " 2 * trips + 2 " " m "\nn 1 " trips "\nn 2 " -trips
            for (i = 0; i < m; i++) print arc[i]
        }' > network
}
run() {
    $RUN ../root/usr/bin/dimacs-solver -q network flow
}
