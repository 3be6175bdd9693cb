# Files that are no program the guest can run. `small` is the smallest one that is: it exits with status 42.
{
    printf '\177ELF\002\001\001\000\000\000\000\000\000\000\000\000'      # 0: 64 bits, little-endian
    printf '\002\000\363\000\001\000\000\000\170\000\001\000\000\000\000\000' # 16: executable, RISC-V; entry 0x10078
    printf '\100\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000' # 32: program headers at 64
    printf '\000\000\000\000\100\000\070\000\001\000\000\000\000\000\000\000' # 48: one of 56 bytes
    printf '\001\000\000\000\005\000\000\000\000\000\000\000\000\000\000\000' # 64: load, r-x, from offset 0
    printf '\000\000\001\000\000\000\000\000\000\000\001\000\000\000\000\000' # 80: at 0x10000
    printf '\204\000\000\000\000\000\000\000\204\000\000\000\000\000\000\000' # 96: 132 bytes of file and memory
    printf '\000\020\000\000\000\000\000\000'                              # 112: aligned to 4096
    printf '\023\005\240\002\223\010\320\005\163\000\000\000'               # 120: li a0,42; li a7,93; ecall
} > small
try() { pcemu --no-program "$@"; echo "-> $?"; }
try ./small
try --core functional ./small
try ./missing
mkdir folder && try ./folder
: > empty && try ./empty
echo 'not a program, not even nearly' > text && try ./text
head -c 40 small > header && try ./header
head -c 70 small > headers && try ./headers
head -c 125 small > truncated && try ./truncated
patch() { cp small "$1"; printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none; try "./$1"; }
patch class32 4 '\001'
patch bigendian 5 '\002'
patch x86 18 '\076\000'
patch relocatable 16 '\001\000'
patch phnum 56 '\377\377'
patch no-segments 56 '\000\000'
patch phoff 32 '\377\377\377\377\377\377\377\177'
patch phentsize 54 '\001\000'
patch far 85 '\377\377'
patch memsz 104 '\001'
patch entry 24 '\000\000\000\000'
patch illegal 120 '\000\000\000\000'
patch no-load 64 '\004'
patch flags 48 '\016'
patch misaligned 80 '\010'
patch low 82 '\000'
patch huge 108 '\021'
patch stack 80 '\000\360\377\377\077\000\000\000'
{ head -c 56 small; printf '\002'; head -c 120 small | tail -c 63; head -c 120 small | tail -c 56; tail -c 12 small; } > overlap && try ./overlap
cp overlap interpreter && printf '\003' | dd of=interpreter bs=1 seek=120 conv=notrunc status=none && try ./interpreter
try /dev/null
# Options for which the symbols are read: the same message.
try --profile tip ./missing
try --profile tip ./folder
# Other files, named by what they are.
echo 'int main(void) { return 0; }' > main.c
riscv64-linux-gnu-gcc -c main.c && try ./main.o
riscv64-linux-gnu-gcc -shared -fPIC -nostdlib -o shared.so main.c && try ./shared.so
riscv64-linux-gnu-ar rc archive.a main.o && try ./archive.a
gzip -c small > small.gz && try ./small.gz
printf 'MZ\220\000' > windows && try ./windows
printf '\001\002\003\004\005' > data && try ./data
patch mips 18 '\010'
patch unknown 18 '\071\060'
patch core 16 '\004'
patch x86_32 18 '\003\000'
printf '\001' | dd of=x86_32 bs=1 seek=4 conv=notrunc status=none && try ./x86_32
mkfifo fifo && try ./fifo
# A program's interpreter, from the sysroot.
mkdir -p root/lib && cp x86_32 root/lib/ld-linux-riscv64-lp64d.so.1
riscv64-linux-gnu-gcc -o dynamic main.c && try -L root ./dynamic 2>&1 | sed "s|$PWD|FOLDER|"
# The guest is named before a program of the co-processor that is missing.
pcemu ./windows
pcemu --program none.pc ./windows
pcemu ./small
