# How a value profile came about: moments in order, the last of which says what the report says.
cp "$programs/value-paper.pasm" "$workloads/invariant" .
pcasm value-paper.pasm
pcemu --format json -o report.json ./invariant > /dev/null
jq -r '.timeline | if map(.cycle) == (map(.cycle) | sort) and map(.handler_cycles) == (map(.handler_cycles) | sort) then "in order" else "not in order" end' report.json
jq -r '.timeline[0].rms_error > .timeline[-1].rms_error | "the error falls: \(.)"' report.json
jq -r '(.timeline[-1].rms_error - .rms_error) | if fabs < 0.00001 then "the end is the report" else "the end differs by \(.)" end' report.json
jq -r '[.loads[] | select(.masked_cycle != null)] | length > 100 | "loads were masked: \(.)"' report.json
# A program of which no part may be split goes on as one.
pcasm -D SPLIT=0 value-paper.pasm
pcemu --format json -o report.json ./invariant 16 > /dev/null
jq -c '[.partitions]' report.json
