# SPDX-License-Identifier: GPL-3.0-or-later
# Functions for the files of this folder: edits of the sources, and commands that report an omitted step. Sourced by
# run.sh.
# shellcheck shell=sh

# ---- steps. $root is the tree, $only the one file to edit (empty: any), $record takes a line for each edit. ----

# edits FILE: records the edit; succeeds if the file is to be edited
edits()
{
    [ -z "$record" ] || echo "$name $step $1" >> "$record"
    [ -z "$only" ] || [ "$only" = "$1" ]
}

# edit FILE ANCHOR PLACE TEXT [FROM]: edits at the one line that the extended regular expression ANCHOR matches
edit()
{
    anchor=$2 place=$3 text=$4 from=${5:-} awk '
        $0 !~ ENVIRON["anchor"] { print; next }
        { matches++ }
        ENVIRON["place"] == "before" { print ENVIRON["text"] }
        ENVIRON["place"] == "in" {
            i = index($0, ENVIRON["from"])
            matches += i == 0
            $0 = substr($0, 1, i - 1) ENVIRON["text"] substr($0, i + length(ENVIRON["from"]))
        }
        { print }
        ENVIRON["place"] == "behind" { print ENVIRON["text"] }
        END {
            if (matches == 1)
                exit 0
            print FILENAME ": not one line with " ENVIRON["anchor"] " and " ENVIRON["from"] > "/dev/stderr"
            exit 1
        }' "$root/$1" > "$root/$1.new"
    chmod --reference="$root/$1" "$root/$1.new"
    mv "$root/$1.new" "$root/$1"
}

# behind, before FILE ANCHOR < TEXT: inserts lines
behind() { ! edits "$1" || edit "$1" "$2" behind "$(cat)"; }
before() { ! edits "$1" || edit "$1" "$2" before "$(cat)"; }

# replace FILE ANCHOR FROM TO: replaces a text in the line
replace() { ! edits "$1" || edit "$1" "$2" in "$4" "$3"; }

# create FILE < TEXT: writes a new file
create() {
    edits "$1" || return 0
    [ ! -e "$root/$1" ] || { echo "$1 is there already" >&2; return 1; }
    cat > "$root/$1"
}

# generated FILE: `make docs` or BLESS=1 writes it after the build. Until then it is a copy, not a hard link.
generated()
{
    edits "$1" && [ -n "$record" ] || return 0
    cp -p "$root/$1" "$root/$1.new"
    mv "$root/$1.new" "$root/$1"
}

# ---- works ----

# says TEXT FILE: checks that the file contains the text
says() { grep -qF -- "$1" "$2" || { echo "'$1' is not in $2:"; cat "$2"; return 1; }; }

# holds FILTER FILE: checks that a jq filter is true for a JSON file
holds() { jq -e "$1" "$2" > jq.out || { echo "$1 does not hold:"; cat jq.out; jq -c . "$2"; return 1; }; }

guest() { echo "$full/build/workloads/rows_guest"; }

# ---- omissions. The working folder is the tree without the step. ----

# named TEXT: text that the output must contain
named() { echo "$1" > "$tree.named"; }

# compile FILE...: compiles all files; -fsyntax-only would not report an unused function
compile()
{
    bad=0
    for file; do
        $compiler -S -o /dev/null "$file" || bad=1
    done
    return $bad
}

# rebuild TARGET...: builds in a copy of the complete build
rebuild() {
    cp -a "$full/build" build
    make -s -k BUILD=build CFLAGS=-O0 "$@"
}

# link TOOL OBJECT: links the tool without the object of the omitted file
link() {
    find "$full/build/obj" -name '*.o' ! -path '*/tests/*' ! -name '*main.o' ! -path "*/obj/$2" > objects
    # shellcheck disable=SC2046,SC2086 # several words
    gcc -o linked "$full/build/obj/$1" $(cat objects) $libraries
}

# pages: checks the generated pages
pages() { make -s BUILD="$full/build" CFLAGS=-O0 check-pages; }

# tables: checks for unused rows
tables() { tests/checks/check_tables.sh; }

# json_keys [KEYS]: checks docs/json.md against the keys that the tools print
json_keys() { tests/checks/check_json.sh "$full/build" "${1:-$tmp/keys}"; }
