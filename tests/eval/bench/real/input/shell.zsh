# SPDX-License-Identifier: GPL-3.0-or-later
# zsh: arrays, associative arrays, arithmetic and patterns.
typeset -A count
typeset -a primes
integer i j
for (( i = 2; i < 1500; i++ )); do
    for (( j = 2; j * j <= i; j++ )); do (( i % j )) || continue 2; done
    primes+=($i)
done
print ${#primes} ${primes[-1]}
lines=("${(f)$(<short)}")
for line in $lines; do
    for word in ${(s: :)line}; do (( count[${(L)word%[.,]}]++ )); done
done
print ${#count} ${(on)${(k)count}[1,5]}
for word in ${(ok)count}; do [[ $word == (st|pr)*[aeiou]? ]] && print -n "$word:${#word} "; done
print
