# SPDX-License-Identifier: GPL-3.0-or-later
# perl: counts the words of a text, in a hash, and rewrites its lines by regular expressions.
use strict;
my (%count, $shortened, @first);
open my $text, '<', 'text' or die;
while (my $line = <$text>) {
    chomp $line;
    $count{lc $1}++ while $line =~ /(\w+)/g;
    $shortened += ($line =~ s/([aeiou])(\w)\b/$2/g) || 0;
    push @first, join '-', reverse split /\s+/, $line if $. % 10 == 0;
}
my @word = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
print "$_ $count{$_}\n" for @word[0 .. 19];
print scalar(@word), " $shortened ", length(join '', sort @first), "\n";
