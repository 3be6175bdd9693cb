# SPDX-License-Identifier: GPL-3.0-or-later
cat > s.pl <<'S'
use strict; use warnings; my %h; $h{length $_}++ for map { "x" x ($_ % 5) } 1 .. 100; print "$_=$h{$_}\n" for sort keys %h;
my $t = "The quick brown fox"; (my $u = $t) =~ s/(\w+)/ucfirst reverse $1/ge; print "$u\n"; printf "%.10f %s\n", atan2(1, 1) * 4, 2 ** 70;
print join(",", sort { $b <=> $a } map { $_ * 7919 % 1009 } 1 .. 10), "\n"; print `echo backticks`; system("sh", "-c", "exit 4"); print $? >> 8, "\n";
my $pid = fork; if (!$pid) { exit 6 } waitpid $pid, 0; print $? >> 8, "\n"; open my $f, "|-", "cat -n" or die; print $f "a\nb\n"; close $f;
pipe my $r, my $w; if (!fork) { print $w "piped\n"; exit } close $w; print <$r>; wait; local $SIG{ALRM} = sub { print "alarm\n" }; alarm 1; select undef, undef, undef, 5;
eval { die { code => 7 } }; print $@->{code}, "\n"; open my $o, ">", "out"; print $o pack("NnC", 1, 2, 3); close $o; local $SIG{USR1} = sub { print "usr1\n" }; kill USR1 => $$;
print "$1-$2\n" while "k1=v1;k2=v2" =~ /(\w+)=(\w+)/g; exit 3;
S
$RUN $BIN/perl s.pl
