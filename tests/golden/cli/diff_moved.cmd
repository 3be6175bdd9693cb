# pcprof diff: a procedure that is not changed takes more because a change before it has moved it; one that is larger,
# or stays where it is, is not named.
cat > moved.c << 'C'
#define APART __attribute__((noinline))
static volatile unsigned long n;
__asm__(".balign 64");
APART static void fixed(unsigned long divisor)
{
    for (int i = 0; i < 2000; i++)
        n = DIVIDE;
}
__asm__(".balign 2");
APART static void innocent(void)
{
    /* In one fetch block, and across two of them if it begins 2 bytes earlier. */
    register long i __asm__("a5") = 20000;
    __asm__ volatile(".rept 5\n c.nop\n .endr\n1: addi %0, %0, -1\n addi a4, a4, 1\n addi a3, a3, 1\n bnez %0, 1b" : "+r"(i)::"a3", "a4");
}
APART static void larger(void)
{
    for (int i = 0; i < LARGER; i++)
        n++;
}
int main(void)
{
    fixed(8 + (n & 1));
    innocent();
    larger();
    return 0;
}
C
mkdir before after
for side in before after; do
    [ $side = before ] && set -- '-DDIVIDE=n / divisor + i' -DLARGER=1000 || set -- '-DDIVIDE=(n >> 3) + i' -DLARGER=5000
    "${RVCC:-riscv64-linux-gnu-gcc}" -O1 -fno-toplevel-reorder -falign-functions=2 -falign-loops=2 -static "$@" -o $side/moved moved.c
    pcemu --no-program --profile oracle --collect moved.db:$side -o out $side/moved
done
pcprof diff --top 4 moved.db:before moved.db:after | sed -n '/^Procedures/,$p'
echo '== five have moved'
cat > five.c << 'C'
#define APART __attribute__((noinline))
static volatile unsigned long n;
APART static void before(void) { n++; MORE }
#define MOVED(name) \
    APART static void name(unsigned long times) { for (unsigned long i = 0; i < times; i++) n++; }
MOVED(one) MOVED(two) MOVED(three) MOVED(four) MOVED(five)
int main(int arguments, char **argument)
{
    (void)argument;
    const unsigned long times = arguments * 20000ul;
    before();
    one(times), two(times), three(times), four(times), five(times);
    return 0;
}
C
for side in before after; do
    [ $side = before ] && set -- -DMORE= || set -- '-DMORE=n++;n++;n++;'
    "${RVCC:-riscv64-linux-gnu-gcc}" -O1 -fno-toplevel-reorder -static "$@" -o $side/five five.c
    [ $side = before ] && set -- || set -- again
    pcemu --no-program --profile oracle --collect five.db:$side -o out $side/five "$@"
done
pcprof diff five.db:before five.db:after | sed -n '/^Code has moved/,/^$/p'
echo '== by line, by image, and the other way'
pcprof diff --by line moved.db:before moved.db:after | grep -c 'has moved'
pcprof diff --by image moved.db:before moved.db:after | grep -c 'has moved'
pcprof diff moved.db:after moved.db:before | grep -c 'has moved'
