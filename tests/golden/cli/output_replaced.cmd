# A guest changes the partial file of an output in its folder: the run ends with an error, and the output is what it was.
cat > change.c << 'C'
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static void put(const char *path, int flags, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | flags, 0644);
    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        perror(path);
    close(fd);
}
int main(int argc, char **argv)
{
    const char *how = argv[1], *partial = argv[2];
    if (strcmp(how, "remove") == 0)
        unlink(partial);
    else if (strcmp(how, "rename") == 0)
        rename(partial, "mine");
    else if (strcmp(how, "replace") == 0)
        unlink(partial), put(partial, O_EXCL, "the guest's\n");
    else if (strcmp(how, "exchange") == 0)
        put("mine", O_EXCL, "the guest's\n"), rename("mine", partial);
    else if (strcmp(how, "append") == 0)
        put(partial, O_APPEND, "the guest's\n");
    return argc != 3;
}
C
"${RVCC:-riscv64-linux-gnu-gcc}" -O1 -static -o change change.c
for core in functional inorder ooo; do
    for how in nothing remove rename replace exchange append; do
        echo before > stats
        status=0
        pcemu --core $core --no-program --stats stats ./change $how .stats.partial > out 2> said || status=$?
        grep -qx before stats && kept=before || kept=new
        echo "$core, $how: $status, $kept, $(grep stats said)"
        rm -f stats mine
        find . -name "*partial"
    done
done
pcemu --no-program --profile oracle -o report ./change replace .report.partial 2> said
echo "$?, $(cat said)"
ls -A
