# Gains without the waits of loads for older stores, and without instructions that are alone in the pipeline: programs
# with one such cause each, and the same cause removed by --ideal from the same instruction.
cat > part.c << 'C'
/* A load of two words, each of which a store has just written. */
static volatile unsigned word[2];
int main(void)
{
    unsigned long s = 1;
    for (int i = 0; i < 3000; i++) {
        word[0] = (unsigned)s;
        word[1] = (unsigned)(s >> 16);
        s = *(volatile unsigned long *)word * 5 + 1;
    }
    return s == 1;
}
C
cat > late.c << 'C'
/* A load that in 16 turns reads once what the store before it writes, whose address is late. */
static volatile unsigned long a[128], one = 1;
int main(void)
{
    unsigned long s = 0, d = one;
    for (unsigned long i = 0; i < 3000; i++) {
        const unsigned long x = (i + s) % 64;
        a[x / d] = 0;
        s = a[x + 64 * (i % 16 != 0)];
    }
    return s == 7;
}
C
cat > alone.c << 'C'
/* A counter that is updated atomically in a chain of additions. */
static unsigned long n;
int main(void)
{
    unsigned long s = 0;
    for (unsigned long i = 0; i < 3000; i++) {
        __atomic_fetch_add(&n, i, __ATOMIC_RELAXED);
        for (int k = 0; k < 8; k++)
            __asm__ volatile("addi %0, %0, 1" : "+r"(s));
    }
    return s == 7;
}
C
for guest in part late alone; do
    "${RVCC:-riscv64-linux-gnu-gcc}" -O2 -static -o $guest $guest.c
    pcemu --no-program --gain 8 --format json -o $guest.json ./$guest || echo "= $?"
    jq -r '.gains | .cycles as $base | .instructions[] | select(.gain > 0.02 and (.removed | test("forward|flush")))
           | "without \(.removed): \(.gain * 100 | round) %"' $guest.json
    for cause in forward ordering flush dtlb+l1d; do
        place=$(jq -r '[.gains.instructions[] | select(.removed | test("forward|flush"))][0].pc' $guest.json)
        pcemu --no-program --ideal "$place:$cause" --stats stats ./$guest
        echo "  $cause: $(awk -v base="$(jq .gains.cycles $guest.json)" '$1 == "cycles" { printf "%.0f %%\n", (1 - $2 / base) * 100 }' stats)"
    done
done
