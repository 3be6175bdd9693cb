# SPDX-License-Identifier: GPL-3.0-or-later
# gawk, mawk: words counted, a sum of columns, and text rewritten.
{
    for (i = 1; i <= NF; i++) {
        word = tolower($i)
        gsub(/[.,]/, "", word)
        count[word]++
        total[i] += length(word)
    }
    if ($0 ~ /(st|nd)[a-e]* .*er/) matched++
    longest = length($0) > longest ? length($0) : longest
}
END {
    for (word in count) { words++; if (count[word] > most) most = count[word] }
    print NR, words, most, matched, longest
    for (i = 1; i <= 8; i++) print i, total[i], sqrt(total[i])
}
