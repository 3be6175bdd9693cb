# SPDX-License-Identifier: GPL-3.0-or-later
# Compares the results of system calls in traces of --strace with errors.txt.
#   errors.awk errors.txt syscall.def TRACE     prints what the traces do not show; then exit status 1
#   errors.awk -v page=1 errors.txt             prints the table of a document
BEGIN {
    split("EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN ENOMEM EACCES EFAULT ENOTBLK EBUSY " \
        "EEXIST EXDEV ENODEV ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK " \
        "EPIPE EDOM ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS ENOTEMPTY ELOOP", names, " ")
    for (n in names)
        name[n + 0] = names[n]
    split("61 ENODATA 75 EOVERFLOW 88 ENOTSOCK 90 EMSGSIZE 91 EPROTOTYPE 92 ENOPROTOOPT 93 EPROTONOSUPPORT " \
        "95 EOPNOTSUPP 97 EAFNOSUPPORT 98 EADDRINUSE 99 EADDRNOTAVAIL 106 EISCONN " \
        "107 ENOTCONN 110 ETIMEDOUT 111 ECONNREFUSED", \
        names, " ")
    for (n = 1; n in names; n += 2)
        name[names[n] + 0] = names[n + 1]
    if (page)
        print "| call | shown | documented by Linux, and not shown |\n|---|---|---|"
}

function complain(text) { print "errors.txt: " text; bad++ }

FNR == 1 { file++ }
file == 1 && /^[a-z]/ {
    order[++calls] = $1
    wanted[$1] = $0
}
file == 1 && /^ / { wanted[order[calls]] = wanted[order[calls]] $0 }
file == 2 && match($0, /^(SYSCALL|LIMITED)\([0-9]+, +[a-z0-9_]+/) {
    call = substr($0, RSTART, RLENGTH)
    sub(/.* /, "", call)
    if (!(call in wanted))
        complain(call ": no row")
    implemented[call]
}
file == 3 {
    call = ""
    if (match($0, /^[0-9]+ [a-z_0-9]+\(/))
        call = substr($2, 1, index($2, "(") - 1)
    else if (match($0, /^[0-9]+ <\.\.\. [a-z_0-9]+ resumed>/))
        call = $3
    if (call != "" && match($0, / = -1 errno=[0-9]+/))
        shown[call, name[substr($0, RSTART + 12, RLENGTH - 12) + 0]]
    else if (call != "" && / = (0x)?[0-9a-f]+$/)
        shown[call, "success"]
}

function print_row(name, part) {
    split(wanted[name], part, " *\\| *")
    sub(/^[^ ]+ +(- ?)?/, "", part[1])
    gsub(/ +/, " ", part[1])
    gsub(/ +/, " ", part[2])
    printf "| `%s` | %s | %s |\n", name, part[1], part[2]
}

END {
    for (n = 1; page && n <= calls; n++)
        print_row(order[n])
    if (page)
        exit
    for (call in wanted) {
        if (!(call in implemented))
            complain(call ": no row of syscall.def that is implemented")
        if (call ~ /xattr/ && !(("setxattr", "success") in shown))
            continue # the file system of /tmp keeps no attributes
        sub(/ *\|.*/, "", wanted[call])
        n = split(wanted[call], result, " +")
        for (i = 2; i <= n; i++)
            if (result[i] != "-" && !((call, result[i]) in shown))
                complain(call ": no guest shows " result[i])
            else
                results++
    }
    print "system calls: " calls " calls, " results " results shown of " results + bad
    exit bad > 0
}
