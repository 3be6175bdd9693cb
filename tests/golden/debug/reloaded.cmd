# What reload takes: sources by their name or as the program's own, images by any name.
. "$here"/common.sh
cp taken.pasm taken.asm
pcasm -o image taken.asm
printf 'reload taken.asm\nreload image\nreload image.pasm\nreload\nreload taken.pasm\nhelp reload\n' |
    pcemu --core samples:samples --program image -o report -x -
