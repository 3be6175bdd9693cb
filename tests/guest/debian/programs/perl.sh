# SPDX-License-Identifier: GPL-3.0-or-later
# perl: MHonArc, which 253.perlbmk runs too, makes pages of a mailbox; a message is a paragraph of perl's FAQ
# packages: perl perl-base perl-modules-5.40 perl-doc libcrypt1 libc6 mhonarc
prepare() {
    awk 'BEGIN { RS = ""; FS = "\n" }
        NF > 1 && !/^ / {
            n++
            reply = n % 3 != 1
            if (!reply) subject = substr($1, 1, 60)
            from = "author" n % 37 "@example.org"
            print "From " from " Mon Jan  1 00:00:00 2001\nFrom: Author " n % 37 " <" from ">\nTo: list@example.org"
            printf "Date: %d Jan 2001 %02d:%02d:00 +0000\n", 1 + int(n / 144) % 28, int(n / 6) % 24, n % 6 * 10
            print "Subject: " (reply ? "Re: " : "") subject "\nMessage-Id: <" n "@example.org>"
            if (reply) print "In-Reply-To: <" n - 1 "@example.org>"
            print ""
            for (i = 1; i <= NF; i++) print (reply && i % 2 || $i ~ /^From / ? "> " : "") $i
            print ""
        }' ../root/usr/share/perl/5.40.*/pod/perlfaq[1-5].pod > mailbox
    mkdir pages
}
run() {
    $RUN ../root/usr/bin/perl ../root/usr/bin/mhonarc -quiet -outdir pages mailbox
}
