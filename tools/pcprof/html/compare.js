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

/* Functions of one name are compared together, because the address that tells them apart is that of one version. */
function comparedProcedure(p) {
  return compared?.procedures.get(imageName(p.image) + '\n' + nameWithoutAddress(p));
}

function nameWithoutAddress(p) {
  return (p.full || p.procedure).replace(/@0x[0-9a-f]+$/, '');
}

function comparedLine(row) {
  return compared?.lines.get(imageName(row.image) + '\n' + lineName(row.file, row.line));
}

function formatDifference(x) {
  return !x ? '-' : (x.difference > 0 ? '+' : '') + formatNumber(x.difference).replace('-', '\u2212');
}

/* Whether neither side has enough samples for a share. A sample of several runs stands for less per run. */
function hasFewOnBothSides(x) {
  return Boolean(x) && x.before + x.after > 0 && data.comparison.runs.every((runs, side) =>
    isFew(0, (side === 0 ? x.before : x.after) * runs));
}

/* The class of a difference. */
function changeOf(x) {
  return !x?.isSignificant ? 'few' : x.difference > 0 ? 'more' : 'less';
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
      cell: row => element('span', {class: changeOf(of(row))}, formatDifference(of(row)))},
    {title: 'change %', number: true, value: row => relativeChange(of(row)),
      text: row => of(row)?.before === 0 && of(row).after > 0 ? 'new' : hasFewOnBothSides(of(row)) ? '' :
        formatError(relativeChange(of(row)))},
    textColumn('significant', row => !of(row)?.isKnown ? '-' : of(row).isSignificant ? 'yes' : 'no'),
  ];
}

/* What the differences are; below each table that has them. */
function comparisonNote() {
  if (!compared) return null;
  const c = data.comparison;
  return [element('p', {class: 'note'}, 'Before: ' + c.before + '. Differences are of ' + c.event + ' (' + c.by +
    ') per run. Significant: with a false-discovery rate of 5 % among all rows (Benjamini and Hochberg), as in ' +
    'pcprof diff.'), noCommonImage()];
}

function noCommonImage() {
  return compared && !data.comparison.has_common_image ? element('p', {class: 'note'}, 'The runs have no file of one ' +
    'name in common with ' + data.comparison.before + ', so no function or line has a partner. Versions of a program ' +
    'are compared if their files have the same name.') : null;
}

/* ---- what is gone ---- */

/* The rows before without a value now: [{name, image, before, ...}], the largest first. */
function goneOf(list) {
  return list.name.map((name, n) => Object.assign({name: name ?? '(unknown)', image: list.image[n]},
    comparedRow(list, n))).filter(row => row.before > 0 && row.after === 0).sort((a, b) => b.before - a.before);
}

/* A table of the functions or lines that have no value any more; the tables of what there is do not have them. */
function goneTable(title, caption, list, most = Infinity) {
  const rows = compared ? goneOf(list) : [];
  if (rows.length === 0) return null;
  return section(title, table({caption, rows: rows.slice(0, most), head: 0, columns: [
    Object.assign(textColumn('name', row => row.name), {code: true}),
    numberColumn('before', row => row.before, data.comparison.unit),
    shareOfMany('%', row => row.before / compared.total.before, hasFewOnBothSides),
    textColumn('significant', row => !row.isKnown ? '-' : row.isSignificant ? 'yes' : 'no'),
    textColumn('image', row => row.image)]}),
  rows.length > most ? element('p', {class: 'note'}, whole.format(rows.length - most) + ' more have less.') : null);
}

function goneProcedures(most) {
  return goneTable('Functions without ' + data.columns[0]?.event + ' now', 'Functions that are gone',
    data.comparison?.procedures, most);
}

function goneLines() {
  return goneTable('Source lines without ' + data.columns[0]?.event + ' now', 'Lines that are gone',
    data.comparison?.lines);
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
