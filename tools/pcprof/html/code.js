/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code of the procedures: decoding of its columns, and values by source line. */

const parsedCode = [];

/* Code of a procedure by its number: {first, step, text, out, line, v, s, p, i}, all columns (page.h). */
function codeOf(n) {
  return parsedCode[n] ??= JSON.parse(packed.code[n]);
}

/* Calls see(row, value, other) for each value of a column of code. */
function eachValue(column, see) {
  const [, steps, values, others] = column;
  let row = 0;
  for (let n = 0; n < steps.length; n++) {
    row += steps[n];
    see(row, values[n], others ? others[n] : null);
  }
}

/* Calls see(row, file, line) for each row of code; file -1: unknown. */
function eachPlace(code, see) {
  let row = 0, n = 0, file = -1, line = 0, next = code.line[0] ?? Infinity;
  for (; row < code.text.length; row++) {
    while (row === next) {
      [, file, line] = code.line.slice(n, n + 3);
      n += 3;
      next = n < code.line.length ? next + code.line[n] : Infinity;
    }
    see(row, file, line);
  }
}

/* The addresses of code: see(row, address). */
function eachAddress(code, see) {
  let address = BigInt('0x' + code.first);
  for (let row = 0; row < code.text.length; row++) {
    address += BigInt(row > 0 ? code.step[row - 1] : 0);
    see(row, address);
  }
}

/* Rows of code as objects, `count` from the row `first` on; between them those of instructions that are left out. */
function codeRows(n, first = 0, count = Infinity) {
  const code = codeOf(n), rows = [], inside = row => row >= first && row < first + count;
  eachAddress(code, (row, address) => {
    if (!inside(row)) return;
    rows.push({address: address.toString(16), text: code.text[row], values: new Map(), intervals: new Map(),
      categories: [], signatures: []});
  });
  const fill = (columns, add) => {
    for (const column of columns) {
      eachValue(column, (row, value, other) => {
        if (inside(row)) add(rows[row - first], column[0], value, other);
      });
    }
  };
  eachPlace(code, (row, file, line) => { if (inside(row)) Object.assign(rows[row - first], {file, line}); });
  fill(code.v, (row, c, estimate, exact) => { row.values.set(c, {estimate, exact}); });
  fill(code.i, (row, c, below, above) => { row.intervals.set(c, {below, above}); });
  fill(code.s, (row, component, value) => { row.categories.push({name: data.components[component], value}); });
  fill(code.p, (row, component, value) => { row.signatures.push({name: data.components[component], value}); });
  return withGaps(rows, first, code.out);
}

function withGaps(rows, first, out) {
  for (let n = out.length - 2; n >= 0; n -= 2) {
    if (out[n] < first || out[n] > first + rows.length) continue;
    rows.splice(out[n] - first, 0, {count: out[n + 1], gap: whole.format(out[n + 1]) +
      (out[n + 1] === 1 ? ' instruction' : ' instructions') + ' without values'});
  }
  return rows;
}

/* ---- source lines ---- */

/* The text of a line of a file, or null. */
function sourceText(file, line) {
  return sourceLines(file)?.get(line) ?? null;
}

const sourceMaps = new Map();

/* The texts of a file by line; null: the page has none. */
function sourceLines(file) {
  const source = data.sources[file];
  if (!source) return null;
  if (!sourceMaps.has(file)) {
    const texts = new Map();
    let line = 0;
    source.step.forEach((step, n) => { texts.set(line += step, source.text[n]); });
    sourceMaps.set(file, texts);
  }
  return sourceMaps.get(file);
}

/* The lines of all code, once: rows [{file, line, image, procedures, values}], and for each procedure the line's row
 * of each row of its code. Code without a line is left out. */
const lines = {rows: null, of: [], columns: new Set()};

function lineRows() {
  if (lines.rows) return lines.rows;
  const byKey = new Map();
  data.procedures.forEach((p, n) => {
    const of = lines.of[n] = [];
    eachPlace(codeOf(n), (row, file, line) => {
      if (file < 0) return;
      const key = p.image + ':' + file + ':' + line;
      let found = byKey.get(key);
      if (!found) byKey.set(key, found = {file, line, image: p.image, procedure: n, values: new Map(),
        parts: new Map(), most: 0});
      of[row] = found;
    });
  });
  return lines.rows = [...byKey.values()];
}

/* The rows of lines with the values of columns. The procedure of a line is the one with the most of it. */
function linesWith(columns) {
  lineRows();
  for (const c of columns) {
    if (lines.columns.has(c)) continue;
    lines.columns.add(c);
    data.procedures.forEach((p, n) => { addLineValues(n, c); });
  }
  return lines.rows.filter(row => columns.some(c => row.values.has(c)));
}

function addLineValues(n, c) {
  const column = codeOf(n).v.find(v => v[0] === c), own = new Map();
  if (!column) return;
  eachValue(column, (row, estimate, exact) => {
    const line = lines.of[n][row];
    if (!line) return;
    const value = line.values.get(c) || {estimate: 0, exact: column[3] ? 0 : null};
    value.estimate += estimate;
    if (isKnown(exact)) value.exact += exact;
    line.values.set(c, value);
    own.set(line, (own.get(line) || 0) + truth({estimate, exact}));
  });
  for (const [line, sum] of own) if (sum > line.most) Object.assign(line, {most: sum, procedure: n});
}
