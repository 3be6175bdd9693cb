# pcprof why and whatif, and gains, on short runs: all of it runs with sanitizers. why, whatif, idealised and ideal_lines
# have what they say.
cp "$workloads/sort" "$build/cases/below.before" .
pcemu --no-program --max-insts 60k --profile oracle,topdown,counts,graph --stacks --collect s.db -o report ./sort > out 2> err
pcemu --no-program --max-insts 60k --profile oracle,topdown --gain 2 --collect s.db:gain -o report ./below.before > out 2> err
pcemu --no-program --max-insts 60k --check --profile oracle --ideal main:branch+l1d --ideal all:latency -o report \
    --collect s.db:ideal ./sort > out 2> err
for epoch in default gain ideal; do
    pcprof why s.db:$epoch > text && pcprof why --format json s.db:$epoch > json && jq '.findings | length > 3' json
    pcprof why s.db:$epoch main > text || echo "= $?"
    pcprof whatif s.db:$epoch -n 3 | grep -c '^[^#]'
done
pcprof whatif s.db:default --event cycles -n 2 -o questions
printf '%s\n' sort.c:1:branch quicksort:all all:branch main:l1d >> questions
pcemu --no-program --max-insts 60k --gain questions --format json -o gains.json ./sort > out 2> err || cat err
sed -i '/^sort.c:1:/d' questions
pcemu --no-program --max-insts 60k --gain questions --format json -o gains.json ./sort > out 2> err || cat err
jq '.gains.instructions | length' gains.json
pcemu --no-program --core inorder --max-insts 60k --gain 1 --format json -o gains.json ./sort > out 2> err || cat err
jq '.gains.instructions | length' gains.json
