# The labels of a computed goto are in .data.rel.ro: of a program that can be mapped anywhere in its relocations only.
cat > vm.c <<'END'
__attribute__((noinline)) static unsigned long run(const unsigned char *code, unsigned long x)
{
    static const void *const at[] = {&&add, &&twice, &&invert, &&end};
    goto *at[*code++];
add:
    x += 3;
    goto *at[*code++];
twice:
    x *= 2;
    goto *at[*code++];
invert:
    x = ~x;
    goto *at[*code++];
end:
    return x;
}
int main(void)
{
    static const unsigned char code[] = {0, 1, 2, 1, 0, 0, 3};
    return run(code, 1) == 0;
}
END
for kind in -static -no-pie '-fPIE -pie'; do
    # shellcheck disable=SC2086 # options, meant to be split
    riscv64-linux-gnu-gcc -O1 $kind -o vm vm.c
    pcemu -L /usr/riscv64-linux-gnu --no-program --profile oracle,counts,paths --collect "vm$kind.db" -o /dev/null ./vm
    rm vm
    echo "$kind"
    pcprof cfg --format json --time cycles@oracle --frequency exact "vm$kind.db" run |
        jq -c '[.edges[] | select(.kind == "indirect")] | (group_by(.from) | map(length)), (map(.exact) | add)'
done
