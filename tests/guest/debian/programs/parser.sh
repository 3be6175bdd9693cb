# SPDX-License-Identifier: GPL-3.0-or-later
# parser: the link parser, over short sentences of perl's FAQ
# packages: link-grammar liblink-grammar5t64 link-grammar-dictionaries-en libhunspell-1.7-0 libpcre2-8-0 libpcre2-posix3
# packages also: libtre5 libsqlite3-0 libedit2 libbsd0 libmd0 libtinfo6 minisat libstdc++6 libgcc-s1 zlib1g libc6 perl-doc
# packages with a locale of UTF-8: libc-bin
prepare() {
    awk 'BEGIN { RS = "" }
        /^[A-Z][a-z]/ && !/[<>@$%{}|\\_=~`*#\/]/ {
            gsub(/\n/, " ")
            n = split($0, sentence, /[.?!] +/)
            for (i = 1; i < n; i++) {
                words = split(sentence[i], word, " ")
                if (words >= 5 && words <= 12 && sentence[i] !~ /[0-9():;"]/) print sentence[i] "."
            }
        }' ../root/usr/share/perl/5.40.*/pod/perlfaq*.pod | head -60 > sentences
}
run() {
    $RUN ../root/usr/bin/link-parser en -spell=0 < sentences
}
