# SPDX-License-Identifier: GPL-3.0-or-later
# bzip2: compression of text, in blocks of 900 kB
# packages: bzip2 libbz2-1.0 libc6 perl-doc
prepare() {
    cat ../root/usr/share/perl/5.40.*/pod/perl*.pod | head -c 4000000 > text
}
run() {
    $RUN ../root/usr/bin/bzip2 -9 text
}
