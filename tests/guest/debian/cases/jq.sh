# SPDX-License-Identifier: GPL-3.0-or-later
# cores: functional ooo check
echo '{"a":[{"n":1,"s":"x"},{"n":2.5,"s":"y"}],"d":"2020-01-01T00:00:00Z"}' > j
$RUN $BIN/jq . j; $RUN $BIN/jq -c '[.a[] | select(.n > 1)]' j; $RUN $BIN/jq -r '.a | map(.n) | add, (.[0] / 3)' j
$RUN $BIN/jq '.d | fromdate' j; $RUN $BIN/jq -n '[range(1000)] | map(. * .) | add, ("abc" |
    test("b")), @base64 "x\(1)"'; echo '{' | $RUN $BIN/jq .; echo $?
