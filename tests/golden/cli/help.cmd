# Help goes to standard output and succeeds, through a pipe too.
for tool in pcasm pcdis pcemu pcprof pcsweep; do
    $tool --help | cat
    $tool --help-all
    $tool --help > /dev/null && echo "$tool --help: ok"
    $tool --version
done
# The short help fits a screen of 24 lines of 80 columns.
commands=
for tool in pcprof pcsweep; do
    for command in $($tool --describe |
        sed -n '/^argument/,/^option/ s/^word\t\([a-z]*\)\t.*/\1/p' | grep -vx help); do
        commands="$commands $tool/$command"
        $tool "$command" --help
    done
done
for tool in pcasm pcdis pcemu pcprof pcsweep $commands; do
    # shellcheck disable=SC2046 # a tool and its command
    $(echo "$tool" | tr / ' ') --help | awk -v tool="$tool" '
        length($0) > 79 { print tool " has a line of " length($0) " columns" }
        END { if (NR > 24) print tool " has " NR " lines" }'
done
# Its examples can be run.
cp "$workloads/invariant" bench.elf
cp "$programs/value.pasm" "$programs/value-paper.pasm" .
pcasm value.pasm && pcasm -o value.pc value.pasm
for store in runs.db runs.db before.db after.db other.db; do
    pcemu --no-program --profile oracle,tip:period=101,counts,topdown,counter:event=loads:period=101 --max-insts 60000 \
        --collect $store bench.elf > out 2>&1
done
pcemu --no-program --profile counts --max-insts 60000 --format json -o report.json bench.elf > out 2>&1
printf 'outputs = {store} options = {"--max-insts=20000"} program bench { command = bench.elf arguments = {1} }\n' \
    > study.conf
pcemu --bbv bench.bb --interval 10k bench.elf 1 > out
pcsweep regions bench.bb -o bench.regions > out
jq -r '.regions[] | "\(.first) 1.5"' bench.regions > bench.cpi
for tool in pcasm pcdis pcprof $commands pcemu pcsweep; do
    # shellcheck disable=SC2046 # a tool and its command
    $(echo "$tool" | tr / ' ') --help | sed '1,/^Examples:/d' | sed -n 's/^  //p' > examples.sh
    sed -i 's/bench.elf/& 1/' examples.sh
    while read -r line; do
        case $line in
        # A server is ended once it has printed its address. Another one may have the port.
        'pcprof serve '*) echo "rm -f urls; mkfifo urls; pcprof serve --port 0 ${line#pcprof serve }" |
            sed 's/ *#.*//; s/$/ > urls \& read -r url < urls; kill $! \&\& wait $!/' > example.sh ;;
        *) echo "$line" > example.sh ;;
        esac
        sh example.sh > out 2>&1 || { echo "$line fails:" && cat out; }
    done < examples.sh
    echo "$tool: $(wc -l < examples.sh) examples"
done
# The lists that options print.
pcemu --sampler help
