#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Opens the pages of pcprof serve in Chromium, and adds epochs to the store meanwhile: the list loads itself again, and
# the page of a profile says that newer data exist, and loads itself again unless the reader keeps it. The browser is
# driven by the DevTools protocol, through pipes: the policies of the pages permit no script of a test in them.
# usage: check_html_serve.sh BUILD
set -eu
export LC_ALL=C
build=$(cd "$1" && pwd)
tmp=$(mktemp -d) server='' browser=''
trap 'exec 8>&-; kill $server $browser 2> /dev/null || true; wait; rm -rf "$tmp"' EXIT
PATH="$build/bin:$PATH"
command -v chromium > /dev/null || { echo 'check_html_serve.sh: chromium is not installed: ./bootstrap check-html' >&2; exit 2; }
cd "$tmp"
exec 8> /dev/null
fails() { echo "check_html_serve.sh: $*" >&2; exit 1; }

cp "$build/workloads/sort" .
# collect EPOCH: adds a run
collect() {
    pcemu --max-insts 20k --no-program --profile oracle,tip:period=101 --collect "s.db:$1" -o /dev/null ./sort 8 > out 2> err ||
        fails "pcemu: $(cat err)"
}
collect first
mkfifo urls commands answers messages
pcprof serve --port 0 . > urls & server=$!
read -r url < urls

# ---- the browser ----

# As root it has no sandbox; the pages are made here. Its end, after five minutes at the latest, ends all waiting.
sandbox=
[ "$(id -u)" != 0 ] || sandbox=--no-sandbox
# shellcheck disable=SC2086 # one option or none
timeout 300 chromium --headless $sandbox --disable-gpu --user-data-dir="$tmp/browser" --remote-debugging-pipe \
    about:blank 3< commands 4> answers > log 2>&1 & browser=$!
exec 8> commands
stdbuf -oL tr '\0' '\n' < answers > messages 8>&- &
exec 9< messages
id=0 session=

# await FILTER: reads messages up to one for which the filter of jq holds. A message of the console is an error.
await() {
    while read -r message <&9; do
        ! printf '%s\n' "$message" | jq -e '.method == "Log.entryAdded" or .method == "Runtime.exceptionThrown" or .error' > found ||
            fails "the browser says: $message"
        ! printf '%s\n' "$message" | jq -e "$1" > found || return 0
    done
    fails "the browser ended before: $1: $(cat log)"
}

# call METHOD [PARAMETERS]: calls a method; its answer is in $message
call() {
    id=$((id + 1))
    printf '{"id":%d,"method":"%s","params":%s%s}\0' $id "$1" "${2:-{\}}" "${session:+,\"sessionId\":\"$session\"}" >&8
    await ".id == $id"
}

# open PATH: opens a page, and waits until it is loaded
open() {
    session=
    call Target.createTarget '{"url":"about:blank"}'
    target=$(printf '%s\n' "$message" | jq -r .result.targetId)
    call Target.attachToTarget "{\"targetId\":\"$target\",\"flatten\":true}"
    session=$(printf '%s\n' "$message" | jq -r .result.sessionId)
    for part in Page Runtime Log; do call $part.enable; done
    call Page.navigate "{\"url\":\"${url%/}$1\"}"
    await '.method == "Page.loadEventFired"'
}

# value EXPRESSION: its value in the page, which may be a promise
value() {
    call Runtime.evaluate "$(jq -nc --arg e "$1" '{expression: $e, awaitPromise: true, returnByValue: true}')"
    printf '%s\n' "$message" | jq -r '.result.result.value'
}

# same WHAT EXPECTED FOUND
same() {
    [ "$2" = "$3" ] || fails "$1: expected $2, found $3"
    echo "check_html_serve.sh: ok $1"
}

# appears SELECTOR: waits until the page has an element, and prints its text
appears() {
    value "new Promise(done => { const look = () => { const e = document.querySelector('$1');
        if (e) done(e.textContent); else setTimeout(look, 20); }; look(); })"
}

# listed: the epochs of the list
listed() { value "[...document.querySelectorAll('td a[href*=runs]')].map(a => a.textContent).join()"; }

# ---- the list ----

open /
same 'the title of the list' 'Profile stores - pcprof serve' "$(value document.title)"
same 'its epochs' first "$(listed)"
collect second
await '.method == "Page.loadEventFired"'
same 'the epochs of the list, which has loaded itself' first,second "$(listed)"
same 'the comparison that the form of a store asks for' '?store=./s.db&before=first&runs=second' "$(value '
    fetch(document.querySelector("tbody th a").href).then(a => a.text()).then(text => {
        const page = new DOMParser().parseFromString(text, "text/html"), form = page.querySelector("form");
        form.querySelector("[name=runs]").value = "second";
        return "?" + decodeURIComponent(new URLSearchParams(new FormData(form)));
    })')"

# ---- the page of a profile ----

open '/report?store=./s.db'
appears .sentence > /dev/null
same 'the title of the page' './s.db - pcprof report' "$(value document.title)"
same 'its runs' 2 "$(value data.runs.length)"
same 'its link to the list' / "$(value 'document.querySelector("header > a").getAttribute("href")')"
same 'no notice' null "$(value 'document.getElementById("newer")')"
value 'location.hash = "#/procedures"' > /dev/null
appears 'nav a[aria-current][href="#/procedures"]' > /dev/null
collect third
same 'the notice' 'Newer data exist. This page is loaded again in 5 s. Load nowKeep this page' "$(appears '#newer')"
value 'document.querySelector("#newer button").click()' > /dev/null
await '.method == "Page.loadEventFired"'
appears 'nav a[aria-current]' > /dev/null
same 'the runs of the page that was loaded again' 3 "$(value data.runs.length)"
same 'its view' '#/procedures' "$(value location.hash)"
collect fourth
appears '#newer' > /dev/null
await '.method == "Page.loadEventFired"'
same 'the runs of the page that has loaded itself' 4 "$(value data.runs.length)"
collect fifth
appears '#newer' > /dev/null
value 'document.querySelectorAll("#newer button")[1].click()' > /dev/null
same 'a page that is kept' '4 null' "$(value 'data.runs.length + " " + document.getElementById("newer")')"

# ---- a page of one epoch, which no other epoch changes ----

open '/report?store=./s.db&runs=first'
tag=$(value document.documentElement.dataset.version)
collect sixth
same 'the version of an epoch to which nothing was added' "304 $tag" "$(value '
    fetch(location, {method: "HEAD", cache: "no-store", headers: {"If-None-Match": "\"" + document.documentElement.dataset.version + "\""}})
        .then(a => a.status + " " + a.headers.get("ETag").slice(1, -1))')"
