# SPDX-License-Identifier: GPL-3.0-or-later
mkdir d; seq 1 1000 > d/n; ln -s n d/l; echo x > d/x; ln d/x d/hard
o='--sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner'
$RUN $BIN/tar $o -cf a.tar d; $RUN $BIN/tar -tvf a.tar; mkdir x; $RUN $BIN/tar -xf a.tar -C x; diff -r d x/d &&
    echo extracted
$RUN $BIN/tar $o -czf - d | $RUN $BIN/gzip -t && echo compressed; $RUN $BIN/tar -I 'xz -T1' -cf b.tar.xz --mtime=@0 d/x;
$RUN $BIN/tar -I 'xz -T1' -xOf b.tar.xz; rm b.tar.xz
$RUN $BIN/tar --delete -f a.tar d/x; $RUN $BIN/tar -df a.tar d/n; echo $?
