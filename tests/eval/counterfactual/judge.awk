# SPDX-License-Identifier: GPL-3.0-or-later
# Judges the metrics of run.sh: judge.awk METRICS=name,name,... FILE.tsv...
# For each core and cause, and each metric, a line: core, cause, metric, programs, questions, Kendall's tau-b (mean over
# programs with at least 5 questions) and its 95 % interval, share of the 5 largest gains that are among the 5 largest
# predictions and its interval, sum of the predictions of the sum of the gains and its interval over programs, mean
# error in per cent of the cycles of the 5 largest gains.
BEGIN { FS = OFS = "\t" }

function abs(x) { return x < 0 ? -x : x }
function sign(x) { return (x > 0) - (x < 0) }

# 97.5 % quantile of Student's distribution, within 0.005 from 3 degrees on (Cornish and Fisher).
function student(n,    z, z3, z5, z7) {
    if (n < 1) return 0
    if (n < 3) return n == 1 ? 12.706 : 4.303
    z = 1.959964; z3 = z ^ 3; z5 = z ^ 5; z7 = z ^ 7
    z += (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n ^ 2)
    return z + (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n ^ 3)
}

# Gains within the noise are equal: 0.05 % of the cycles.
function level(x) { return abs(x) < 0.0005 ? 0 : x }

# Kendall's tau-b of a metric over the questions first to last of a group; 2: undefined
function tau(m, first, last,    i, j, a, b, s, na, nb) {
    for (i = first; i <= last; i++)
        for (j = i + 1; j <= last; j++) {
            a = sign(level(value[i, m]) - level(value[j, m]))
            b = abs(gain[i] - gain[j]) < 0.0005 ? 0 : sign(gain[i] - gain[j])
            s += a * b; na += a * a; nb += b * b
        }
    return na * nb > 0 ? s / sqrt(na * nb) : (nb > 0 ? 0 : 2)
}

# Marks the largest of the questions by a metric, 0: by their gains. Returns their number.
function mark(marked, m, first, last,    k, i, top, x) {
    for (i = first; i <= last; i++) marked[i] = 0
    for (k = 0; k < 5; k++) {
        top = 0
        for (i = first; i <= last; i++) {
            x = m ? value[i, m] : gain[i]
            if (!marked[i] && x >= 0.0005 && (!top || x > (m ? value[top, m] : gain[top]))) top = i
        }
        if (!top) return k
        marked[top] = 1
    }
    return k
}

function interval(sum, square, n,    half) {
    if (n < 2) return "-\t-"
    half = student(n - 1) * sqrt(square - sum * sum / n > 0 ? (square - sum * sum / n) / (n - 1) / n : 0)
    return sprintf("%.3f\t%.3f", sum / n - half, sum / n + half)
}

# Whether the metric says something of the questions first to last.
function says(m, first, last,    i) {
    for (i = first; i <= last; i++)
        if (value[i, m] == "-") return 0
    return 1
}

# The questions are sorted by core, cause and program.
function judge(first, last, core, cause,    m, i, from, n, t, tn, ts, tq, both, top, on, os, oq, p, ps, gs, jn, jr, js,
        jq, e, en, i5, pp, gp) {
    for (m = 1; m <= metrics; m++) {
        tn = ts = tq = on = os = oq = ps = gs = e = en = jn = js = jq = 0
        if (!says(m, first, last)) continue
        for (from = first; from <= last; from = n + 1) {
            for (n = from; n < last && program[n + 1] == program[from]; n++) ;
            jn++; pp[jn] = gp[jn] = 0
            for (i = from; i <= n; i++) { pp[jn] += value[i, m]; gp[jn] += gain[i] }
            ps += pp[jn]; gs += gp[jn]
            top = mark(by_gain, 0, from, n)
            mark(by_metric, m, from, n)
            both = 0
            for (i = from; i <= n; i++) {
                both += by_gain[i] && by_metric[i]
                if (by_gain[i]) { e += abs(value[i, m] - gain[i]); en++ }
            }
            if (n - from < 4) continue
            if (top) { on++; os += both / top; oq += (both / top) ^ 2 }
            t = tau(m, from, n)
            if (t < 2) { tn++; ts += t; tq += t * t }
        }
        # The interval of the ratio is a jackknife's, over programs.
        for (i = 1; i <= jn; i++) {
            jr = jn * ps / gs - (jn - 1) * (gs - gp[i] != 0 ? (ps - pp[i]) / (gs - gp[i]) : 0)
            js += jr; jq += jr * jr
        }
        print core, cause, name[m], tn, last - first + 1, tn ? sprintf("%.3f", ts / tn) : "-", interval(ts, tq, tn),
            on ? sprintf("%.3f", os / on) : "-", interval(os, oq, on), gs ? sprintf("%.3f", ps / gs) : "-",
            interval(js, jq, jn), en ? sprintf("%.3f", 100 * e / en) : "-"
    }
}

NR == 1 { metrics = split(METRICS, name, ",") }
{
    q++
    program[q] = $1; core[q] = $2; cause[q] = $4; gain[q] = $NF
    for (m = 1; m <= metrics; m++) value[q, m] = $(m + 4)
}
END {
    for (from = 1; from <= q; from = n + 1) {
        for (n = from; n < q && core[n + 1] == core[from] && cause[n + 1] == cause[from]; n++) ;
        judge(from, n, core[from], cause[from])
    }
}
