# A co-processor that takes no time drops nothing at any clock, and what counts all that it sees is exact.
cp "$workloads/invariant" .
for program in edge latency; do
    pcasm "$programs/$program.pasm"
    for clock in 1 8; do
        for ideal in no yes; do
            pcemu --set cop_ideal=$ideal --set host_free=yes --set cop_clock_divide=$clock --max-insts 300k --format json -o report.json ./invariant 1
            jq -r --arg what "$program, clock 1/$clock, ideal $ideal" '[.layouts[].score | select(.exact_events > 0).error] as $errors
                | "\($what): dropped \(.dropped == 0 | if . then "none" else "some" end), \($errors | max < 1e-9 | if . then "exact" else "not exact" end), interrupts \(.interrupts > 0)"' report.json
        done
    done
done
# Its statistics leave out what divides the cycles; a page shows such a run as another.
pcemu --max-insts 50k --set cop_ideal=yes --stats statistics --collect store -o /dev/null ./invariant 1
sed -n '/^co-processor/,/words a sample/p' statistics | grep -v '%'
pcprof report store -o page.html && grep -c '<html' page.html
