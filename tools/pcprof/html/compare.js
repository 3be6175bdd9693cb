/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Differences to the runs of --before, which pcprof computes as pcprof diff does. */

const SIGNIFICANT = 0.05;

/* The rows of a comparison by image and name. */
function comparedRows(list) {
  return new Map(list.name.map((name, n) => [list.image[n] + '\n' + name, comparedRow(list, n)]));
}

function comparedRow(list, n) {
  const [before, after, low, high, p, q] = ['before', 'after', 'low', 'high', 'p', 'q'].map(key => list[key][n]);
  return {before, after, low, high, p, q, difference: after - before, isKnown: q !== null,
    isSignificant: q !== null && q < SIGNIFICANT};
}

const compared = data.comparison && {
  procedures: comparedRows(data.comparison.procedures), lines: comparedRows(data.comparison.lines),
  total: comparedRow(data.comparison.total, 0),
};

function comparedProcedure(p) {
  return compared?.procedures.get(imageName(p.image) + '\n' + (p.full || p.procedure));
}

function comparedLine(row) {
  return compared?.lines.get(imageName(row.image) + '\n' + lineName(row.file, row.line));
}

function formatDifference(x) {
  return !x ? '-' : (x.difference > 0 ? '+' : '') + formatNumber(x.difference).replace('-', '\u2212');
}

function relativeChange(x) {
  return x && x.before > 0 ? x.difference / x.before : NaN;
}

/* The columns of differences, of rows whose comparison `of` finds; none without --before. */
function differenceColumns(of, isBrief) {
  if (!compared) return [];
  return [
    ...isBrief ? [] : [numberColumn('before', row => of(row)?.before ?? NaN)],
    {title: 'difference', number: true, value: row => of(row) ? of(row).difference : NaN,
      text: row => formatDifference(of(row)),
      cell: row => element('span', {class: of(row)?.isSignificant ? of(row).difference > 0 ? 'more' : 'less' : 'few'},
        formatDifference(of(row)))},
    {title: 'change %', number: true, value: row => relativeChange(of(row)),
      text: row => of(row)?.before === 0 && of(row).after > 0 ? 'new' : formatError(relativeChange(of(row)))},
    textColumn('significant', row => !of(row)?.isKnown ? '-' : of(row).isSignificant ? 'yes' : 'no'),
  ];
}

/* What the differences are; below each table that has them. */
function comparisonNote() {
  if (!compared) return null;
  const c = data.comparison;
  return element('p', {class: 'note'}, 'Before: ' + c.before + '. Differences are of ' + c.event + ' (' + c.by +
    ') per run. Significant: with a false-discovery rate of 5 % among all rows (Benjamini and Hochberg), as in ' +
    'pcprof diff.');
}

/* The total as a sentence. */
function comparisonSentence() {
  const {total} = compared, c = data.comparison, change = relativeChange(total);
  const range = isKnown(total.low) && total.low !== total.high ? ' (95 % interval of the difference ' +
    formatDifference({difference: total.low}) + ' to ' + formatDifference({difference: total.high}) + ')' : '';
  const doubt = total.isKnown && !total.isSignificant ? '; the difference is not significant' : '';
  return (Math.abs(change) * 100).toFixed(1) + ' % ' + (change < 0 ? 'fewer ' : 'more ') + c.event +
    ' per run than ' + c.before + ': ' + formatNumber(total.after) + ' instead of ' + formatNumber(total.before) +
    range + doubt + '.';
}
