# Bad usage: one line that says what was expected, and exit status 2.
try() { "$@"; echo "-> $?"; }
try pcemu
try pcemu --no-such-option x
try pcemu --core fast x
try pcemu --max-insts -5 x
try pcemu --max-insts ten x
for count in 10m 1.5k +1 k 1kk 20000000000G; do try pcemu --skip-insts $count x; done
try pcemu --format xml x
try pcemu --top 4294967296 x
# A name that is nearly one of the names.
try pcemu --core functonal x
try pcemu --format jsn x
try pcasm --cost=txt a.pasm
try pcasm -W eror a.pasm
# Too many values, and a value of another form.
# shellcheck disable=SC2046 # 65 pairs of words
try pcemu $(seq -f '--set rob_entries=%g' 65) x
try pcasm -D 9x a.pasm
try pcemu --no-program --program a.out x
try pcemu --no-program --no-truth x
try pcemu --core samples:a x
try pcemu -E NAME x
try pcemu --core samples:- -x -
# The last --core counts, and no samples of an earlier one.
try pcemu --core samples:- --core functional -x - --program a.out a.out
try pcasm a.pasm b.pasm
try pcasm -D
