# SPDX-License-Identifier: GPL-3.0-or-later
# packages: samtools minimap2 bwa
# threads: samtools minimap2 bwa
awk 'BEGIN { s = 7; print ">r"; for (i = 0; i < 6000; i++) { s = (s * 1103515245 + 12345) % 2147483648; g = g substr("ACGT", int(s / 65536) % 4 + 1, 1) }
    print g > "/dev/stderr"; print g }' > r.fa 2> g
awk '{ for (i = 1; i < 5800; i += 37) print ">q" i "\n" substr($0, i, 120) }' g > q.fa
$RUN $BIN/bwa index r.fa 2> /dev/null; $RUN $BIN/bwa mem -t4 r.fa q.fa 2> /dev/null | grep -v '^@PG' > b.sam; cksum < b.sam
$RUN $BIN/minimap2 -t4 -a r.fa q.fa 2> /dev/null | grep -v '^@PG' | cksum
$RUN $BIN/samtools sort --no-PG -@ 4 -n b.sam -o n.bam; $RUN $BIN/samtools view -@ 2 -c -F 16 n.bam; $RUN $BIN/samtools flagstat -@ 2 n.bam | head -n 3
$RUN $BIN/samtools sort --no-PG -@ 2 -O sam b.sam | cksum
