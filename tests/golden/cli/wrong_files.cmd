# A file in the wrong place: the message names what the file is, and what to do with it.
try() { echo "\$ $*"; "$@"; echo "-> $?"; }
cp "$workloads/invariant" guest
cp "$programs/value.pasm" .
pcasm -o value.pc value.pasm
cp value.pasm source.txt
pcemu --no-program --profile oracle --max-insts 20000 --record run.rec --collect runs.db --format json -o report.json \
    guest > out 2>&1
tr ' ' '\001' < source.txt > binary
: > empty
files='value.pc value.pasm source.txt runs.db report.json run.rec binary empty'
for file in $files; do try pcemu --no-program "$file"; done
for file in guest $files absent; do
    try pcemu --program "$file" --no-truth --max-insts 1000 -o out guest
    try pcdis -o out "$file"
    [ "$file" = binary ] || try pcasm -o out.pc "$file"
    try pcemu --no-program --core "replay:$file" -o out
    try pcprof prof -o out "$file"
    try pcprof show -o out "$file"
done 2>&1
try pcemu --no-program --collect report.json guest
try pcprof merge runs.db report.json
# Standard input has no name for other commands.
try pcdis - < runs.db
try pcprof show - < value.pc
try pcemu --no-program --core replay:- < report.json
# A store cannot be written to standard output.
try pcprof merge - runs.db
[ ! -e - ] || echo 'there is a file -'
