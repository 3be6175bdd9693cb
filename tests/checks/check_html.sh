#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Opens the pages of pcprof report in Chromium, from the disk: as they are, where no error may be on the console, and
# driven by tests/checks/html/drive.js, at 360 and at 1400 pixels, in light and in dark colours. The text of each view
# of tests/checks/html/views must be that of tests/golden/html/views.out, at both sizes and in both colours; BLESS=1
# rewrites it. Pictures of the views go to BUILD/html, for the eyes. If tests/checks/html/fetch_axe.sh has fetched
# axe-core, its rules are checked too.
# usage: check_html.sh BUILD
set -eu
export LC_ALL=C SOURCE_DATE_EPOCH=1000000000
build=$(cd "$1" && pwd) root=$(pwd) bad=0
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
PATH="$build/bin:$PATH"
command -v chromium > /dev/null || { echo 'check_html.sh: chromium is not installed: ./bootstrap check-html' >&2; exit 2; }
mkdir -p "$build/html"
axe=$build/axe/axe.min.js
[ -f "$axe" ] || { echo 'check_html.sh: the rules of axe-core are not checked: ./bootstrap check-html fetches it' >&2; axe=; }
pictures=$build/html
cd "$tmp"
fails() { echo "check_html.sh: $*" >&2; bad=1; }

# A store with everything that the page shows, and one with names that would be HTML.
cp "$build/workloads/sort" .
pcasm -o callstack.pc "$root/programs/callstack.pasm"
profilers=oracle,tip:period=101,counts,profileme:period=50,tea-oracle,tea:period=101,phases
for epoch in before:7 after:8; do
    pcemu --program callstack.pc --profile $profilers,counter:event=dcache-miss:period=20:collect --seed 1 \
        --collect "s.db:${epoch%:*}" -o 1.txt ./sort "${epoch#*:}" > out
done
pcemu --no-program --gain 3 --profile oracle,tip:period=101 --collect s.db:after -o 2.txt --seed 2 ./sort 8 > out
printf 'quicksort </script><img/src=x/onerror=hostile()>\n' > names
riscv64-linux-gnu-objcopy --redefine-syms=names sort '<b>sort'
pcemu --no-program --stacks --profile oracle,tip:period=101,paths,topdown,graph --collect hostile.db -o 3.txt \
    './<b>sort' 8 > out
pcemu --no-program --kanata=pipeline.log --kanata-window=quicksort:600 ./sort 8 > out
pcprof report --pipeline pipeline.log --source-dir "$root/tests/eval/workloads" --before s.db:before s.db:after -o page.html
pcprof report --before s.db:before hostile.db -o hostile.html
quicksort=$(sed -n 's|.*"procedure":"quicksort","image":\([0-9]*\),"start":"\([0-9a-f]*\)".*|\1/\2|p' page.html)
sed "s|QUICKSORT|$quicksort|" "$root/tests/checks/html/views" > views
text=$root/tests/golden/html/views.out
"$root/tests/checks/expected_guest.sh" "$build/workloads/sort" || text= # addresses and cycles are others

# chromium OPTION...: as root it has no sandbox; the pages are made here
browse() {
    sandbox=
    [ "$(id -u)" != 0 ] || sandbox=--no-sandbox
    # shellcheck disable=SC2086 # one option or none
    timeout 120 chromium --headless $sandbox --disable-gpu --hide-scrollbars --enable-logging=stderr \
        --user-data-dir="$tmp/browser" --virtual-time-budget=60000 "$@" 2> log
}

# frame FILE WIDTH HEIGHT PAGE: a page in a frame, because a window is at least 500 pixels wide; it shows messages
frame() {
    cat > "$1" << HTML
<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">
<iframe src="$4" width="$2" height="$3" style="border:0"></iframe>
<pre id="results"></pre><script>
addEventListener('message', e => { document.getElementById('results').textContent += e.data + '\n'; });
</script>
HTML
}

# The text of the views in the results, without what depends on the folder that the guest was compiled in.
compare_text() {
    sed -n 's/^text //; T; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g; p' results |
        sed -E "s|$root/||g; s/^[0-9a-f]{40}\$/(build ID)/" > shown
    [ $page = page ] && [ -n "$text" ] || return 0
    [ -z "${BLESS:-}" ] || cp shown "$text"
    diff -u "$text" shown >&2 || fails "$page.html at $width pixels, colours $colours: the text differs"
}

for page in page hostile; do
    # Page as written.
    browse --dump-dom "file://$tmp/$page.html" > dom.html || fails "$page.html: the browser fails: $(grep -v dbus log)"
    ! grep 'CONSOLE' log >&2 || fails "$page.html: messages on the console"
    grep -q '<p class="sentence">[0-9.]* % of the cycles execute' dom.html || fails "$page.html: no sentence"
    grep -q '<caption>Events</caption>' dom.html || fails "$page.html: no table of events"
    # Driven.
    { sed '/<meta http-equiv/,$d' $page.html; echo '<script>'; cat ${axe:+"$axe"} "$root/tests/checks/html/drive.js"; echo '</script>'
        echo '<script type="text/plain" id="views">'; cat views; echo '</script>'
        sed '1,/<meta http-equiv/d' $page.html; } > driven.html
    for width in 360 1400; do
        frame framed.html $width 900 driven.html
        for colours in 0 1; do # dark, light
            browse --blink-settings=preferredColorScheme=$colours --window-size=1400,1000 --dump-dom \
                "file://$tmp/framed.html" | sed -n '/<pre id="results">/,/<\/pre>/p' > results
            ! grep FAILED results >&2 || fails "$page.html at $width pixels, colours $colours: above"
            checks=$(grep -c '^ok ' results || true)
            compare_text
            [ "$checks" -gt 40 ] || fails "$page.html at $width pixels, colours $colours: only $checks checks: $(grep CONSOLE log)"
            echo "check_html.sh: $page.html at $width pixels, $([ $colours = 0 ] && echo dark || echo light): $checks checks"
        done
    done
done

# Pictures.
while read -r view hash; do
    for size in 400,800 1400,900; do
        frame framed.html "${size%,*}" "${size#*,}" "page.html$hash"
        for colours in 0 1; do
            browse --blink-settings=preferredColorScheme=$colours --window-size=$size \
                --screenshot="$pictures/$view-${size%,*}-$([ $colours = 0 ] && echo dark || echo light).png" \
                "file://$tmp/framed.html" > out < /dev/null
        done
    done
done < views
echo "check_html.sh: $(find "$pictures" -name '*.png' | wc -l) pictures in $pictures"
exit $bad
