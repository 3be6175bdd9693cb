# SPDX-License-Identifier: GPL-3.0-or-later
# packages: lighttpd
mkdir www; for i in 1 2 3; do seq $((i * 10000)) > www/f$i; done
cat > c <<X
server.document-root = "$PWD/www"
server.bind = "$PWD/s"
mimetype.assign = ("" => "text/plain")
X
cat > get.pl <<'X'
use Socket;
for my $name (@ARGV) {
    socket(my $s, AF_UNIX, SOCK_STREAM, 0); connect($s, pack_sockaddr_un("s")) or die; select $s; $| = 1;
    print "GET /$name HTTP/1.0\r\n\r\n"; select STDOUT; my ($head, $body) = split /\r\n\r\n/, join("", <$s>), 2;
    print((split /\r\n/, $head)[0], " ", length $body, " ", unpack("%32C*", $body), "\n");
}
X
$RUN $ROOT/usr/sbin/lighttpd -D -f c > log 2>&1 & server=$!
until [ -S s ]; do sleep 0.1; done
$RUN $BIN/perl get.pl f1 f2 f3 f1 absent
kill $server; wait $server; rm -f c log s
