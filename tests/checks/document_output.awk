# SPDX-License-Identifier: GPL-3.0-or-later
# Compares the ```output blocks of a document with what its commands print. The lines of a block are an excerpt, in
# order, of the output of the last ```sh block above it, which is the file N in the folder `printed` for block N.
# Prints the document with the lines that are printed now: a line may differ from the printed one in numbers and spaces.
# With numbers=yes such a difference is an error.

# shape LINE: the line without numbers and the width of its spaces
function shape(line) {
    gsub(/0x[0-9a-f]+|[+-]?[0-9][0-9,.]*/, "#", line)
    gsub(/ +/, " ", line)
    sub(/^ /, "", line)
    return line
}

function read_output(file,    line) {
    lines = 0
    while ((getline line < file) > 0) {
        sub(/ +$/, "", line)
        output[++lines] = line
    }
    close(file)
    at = 1
}

# find LINE SHAPED: the number of the next line that is printed so, or has this shape; 0 where there is none
function find(line, shaped,    i) {
    for (i = at; i <= lines; i++)
        if ((shaped ? shape(output[i]) : output[i]) == line)
            return i
    return 0
}

function complain(message) {
    printf "%s:%d: %s\n", FILENAME, FNR, message > "/dev/stderr"
    bad = 1
}

/^```/ && inside { inside = excerpt = 0; print; next }
/^```/ {
    inside = 1
    if ($0 == "```sh")
        blocks++
    if ($0 == "```output") {
        excerpt = 1
        if (!blocks)
            complain("output without a block of commands above it")
        read_output(printed "/" blocks)
    }
    print
    next
}
excerpt {
    if ((found = find($0, 0)) > 0)
        at = found + 1
    else if ((found = find(shape($0), 1)) > 0) {
        if (numbers == "yes")
            complain("'" $0 "' is printed as '" output[found] "'")
        at = found + 1
        $0 = output[found]
    } else
        complain("'" $0 "' is not printed")
}
{ print }
END { exit bad }
