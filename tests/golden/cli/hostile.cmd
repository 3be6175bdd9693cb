# Stores that others have made: symbols larger than their image.
export SOURCE_DATE_EPOCH=1000000000
cp "$workloads/sort" .
try() { "$@"; status=$?; [ $status = 0 ] || echo "-> $status"; }
pcemu --no-program --max-insts 100k --profile oracle,tip:period=31 --collect s.db -o report.txt ./sort > out 2> err || cat err
# The listing of a procedure that claims all addresses ends, and has the code and the values of the image.
cp s.db large.db
sqlite3 large.db "DELETE FROM symbol WHERE name <> '_start'; UPDATE symbol SET size = 1 << 61"
pcprof annotate --disassembly --format json large.db |
    jq -c '.procedures[0] | .procedure, (.estimate == ([.instructions[].cycles.estimate] | add)), (.instructions | length > 10000)'
sqlite3 large.db "DELETE FROM code"
pcprof annotate --disassembly --format json large.db | jq -c '.procedures[0] | [.estimate, ([.instructions[].cycles.estimate] | add)] | .[0] == .[1]'
# Epochs that cannot be selected.
cp s.db names.db
sqlite3 names.db "UPDATE epoch SET name = 'a b' || char(27)"
try pcprof list names.db
try pcprof merge other.db names.db
# A limit of file sizes is an error, not a signal.
# SQLite tells the system's reason, or only that there was an error.
(ulimit -f 8; try pcprof merge small.db s.db 2>&1 | sed 's/disk I\/O error/File too large/'; try pcprof export --to callgrind -o callgrind.out s.db)
pcprof merge small.db s.db
# A page of a store without values.
sqlite3 s.db "DELETE FROM epoch_sample; DELETE FROM sample"
try pcprof report s.db -o page.html && grep -c "</html>" page.html
