# SPDX-License-Identifier: GPL-3.0-or-later
# gzip: compression of text as small as it goes
# packages: gzip libc6 perl-doc
prepare() {
    cat ../root/usr/share/perl/5.40.*/pod/perl*.pod | head -c 8000000 > text
}
run() {
    $RUN ../root/usr/bin/gzip -9 -n text
}
