/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code of a function: source lines beside instructions, both with heat. A click on a row marks the others. */

function codeView(n, chosen, parameters) {
  const wanted = parameters.get('line'), at = parameters.get('at');
  const first = firstRow(codeOf(n), chosen[0] ?? 0, parameters), rows = codeRows(n, first, CODE_ROWS);
  const source = sourcePanel(n, rows, chosen[0] ?? 0, mark);
  const assembly = element('div', {class: 'assembly'}, instructionTable(n, rows, chosen, parameters));
  const panels = element('div', {class: source ? 'panels' : ''}, source, assembly);

  /* Marks the rows of a line, and shows the first one of the other panel. */
  function mark(key, from) {
    for (const row of panels.querySelectorAll('.marked')) row.classList.remove('marked');
    for (const row of panels.querySelectorAll('tr[data-line]')) row.classList.toggle('marked',
      row.dataset.line === key);
    const other = panels.querySelector((from === 'source' ? '.assembly' : '.source') + ' tr.marked');
    if (other) scrollInto(other);
  }

  assembly.addEventListener('click', event => {
    const row = event.target.closest('tr[data-line]');
    if (row && !event.target.closest('a, button')) mark(row.dataset.line, 'assembly');
  });
  queueMicrotask(() => {
    const hot = !at && !wanted && rows.length > 40 ? assembly.querySelector('tr.heat-5') : null;
    if (hot) scrollInto(hot);
    const row = at ? [...panels.querySelectorAll('.assembly tr')].find(r => r.dataset.address === at) : null;
    if (row) {
      row.classList.add('marked');
      scrollInto(row);
    }
    const key = wanted || row?.dataset.line;
    if (key && !(row && !source)) mark(key, 'source');
    if (row && wanted === null) scrollInto(row);
  });
  return [partLinks(n, first, parameters), panels];
}

/* Code of more rows than this is shown in parts: code without symbols is one "function". */
const CODE_ROWS = 2000;

/* The first row of the part that is asked for: by its number, an instruction or a line in it; else of the part with the
 * hottest instruction. */
function firstRow(code, c, parameters) {
  if (code.text.length <= CODE_ROWS) return 0;
  const part = parameters.get('part'), column = code.v.find(v => v[0] === c);
  let found = -1, most = 0, hottest = 0;
  if (part !== null) found = Number(part) * CODE_ROWS;
  else if (parameters.has('at')) {
    const at = BigInt('0x' + parameters.get('at').replace(/[^0-9a-f]/g, '0'));
    eachAddress(code, (row, address) => { if (address === at) found = row; });
  } else if (parameters.has('line')) {
    eachPlace(code, (row, file, line) => { if (found < 0 && file + ':' + line === parameters.get('line')) found = row;
      });
  }
  if (column) eachValue(column, (row, estimate, exact) => {
    const value = truth({estimate, exact});
    if (value > most) [hottest, most] = [row, value];
  });
  const row = found >= 0 && found < code.text.length ? found : hottest;
  return row - row % CODE_ROWS;
}

function partLinks(n, first, parameters) {
  const rows = codeOf(n).text.length, part = first / CODE_ROWS, parts = Math.ceil(rows / CODE_ROWS);
  if (parts <= 1) return null;
  const link = (text, k) => k < 0 || k >= parts ? null : procedureLink(data.procedures[n],
    [...changedParameters(parameters, {part: k})].filter(([key]) => key !== 'at' && key !== 'line'), text);
  return element('p', {class: 'tools'}, 'Rows ' + whole.format(first + 1) + ' to ' +
    whole.format(Math.min(first + CODE_ROWS, rows)) + ' of ' + whole.format(rows) + ' ',
  link('Before', part - 1), link('After', part + 1));
}

/* Scrolls the panel, not the page. */
function scrollInto(row) {
  const area = row.closest('.scroll');
  area.scrollTop = row.offsetTop - area.clientHeight / 3;
}

/* ---- source ---- */

/* The lines of the code's files, the file with the most first; null: the page has no text. */
function sourcePanel(n, rows, c, mark) {
  const values = new Map(), byFile = new Map();
  for (const row of rows) {
    if (row.gap || row.file < 0) continue;
    const key = row.file + ':' + row.line;
    values.set(key, (values.get(key) || 0) + truth(row.values.get(c)));
    byFile.set(row.file, (byFile.get(row.file) || 0) + truth(row.values.get(c)));
  }
  const files = [...byFile.keys()].sort((a, b) => byFile.get(b) - byFile.get(a));
  const list = files.filter(file => sourceLines(file)).flatMap(file => sourceRows(file, values));
  if (list.length === 0) return null;
  const total = data.columns[c] ? truthOfColumn(c) : 1, few = row => isFewTruth(c, row.value);
  const all = sum([...values.values()]) || 1, largest = Math.max(...values.values(), 1e-9);
  const lineButton = row => element('button', {type: 'button', class: 'line', onclick: () => { mark(row.key,
    'source'); },
    'aria-label': lineName(row.file, row.line) + ': mark its instructions'}, String(row.line));
  return element('div', {class: 'source'}, table({caption: 'Source', rows: list, fixed: true, free: true,
    mark: row => ({'data-line': row.key, class: heatOf(row.value / largest)}), columns: [
    {title: 'line', number: true, value: row => row.line, cell: row => row.key ? lineButton(row) : String(row.line)},
    {title: '%', number: true, value: row => row.value, text: shareText(total, few)},
    {title: 'of it %', number: true, value: row => row.value, text: shareText(all, few)},
    ...gainColumns(row => row.key ? gainOfLine({image: data.procedures[n].image, file: row.file, line: row.line}) :
      undefined),
    ...sourceDifference(data.procedures[n]),
    {title: 'source', value: row => row.text, code: true, source: true}]}), newerNote(files));
}

function shareText(total, few) {
  return row => row.value > 0 && !few(row) ? formatShare(row.value / total, 1) : '';
}

/* The difference to the runs before, of a line in all functions. */
function sourceDifference(p) {
  if (!compared) return [];
  const of = row => row.key ? comparedLine({image: p.image, file: row.file, line: row.line}) : null;
  return [{title: 'difference', number: true, value: row => of(row)?.difference ?? NaN,
    cell: row => of(row) ? element('span', {class: changeOf(of(row))}, formatDifference(of(row))) : ''}];
}

/* The rows of a file: its name, then the lines that the page has, from the first with code of the function on. */
function sourceRows(file, values) {
  const lines = [...values.keys()].filter(key => key.startsWith(file + ':')).map(key => Number(key.split(':')[1]));
  const first = Math.min(...lines) - 2, last = Math.max(...lines) + 2, rows = [];
  let before = null;
  for (const [line, text] of sourceLines(file)) {
    if (line < first || line > last) continue;
    const key = values.has(file + ':' + line) ? file + ':' + line : null;
    if (before !== null && line > before + 1) rows.push({gap: '\u22ee'});
    rows.push({file, line, text, key, value: key ? values.get(key) : 0});
    before = line;
  }
  return rows.length > 0 ? [{gap: data.files[file]}, ...rows] : [];
}

function newerNote(files) {
  const newer = files.filter(file => data.sources[file]?.newer).map(file => data.files[file]);
  return newer.length > 0 ? element('p', {class: 'note'}, newer.join(', ') +
    ': changed since the run, so lines can be ' +
    'others than those of the code.') : null;
}

/* ---- instructions ---- */

function instructionTable(n, all, chosen, parameters) {
  const rows = parameters.get('all') === '0' ? all.filter(row => row.values?.size > 0) : all, c = chosen[0];
  const largest = Math.max(...rows.map(row => truth(row.values?.get(c))), 1e-9);
  const only = element('input', {type: 'checkbox', checked: parameters.get('all') === '0', id: 'only',
    onchange: event => {
      parameters.set('all', event.target.checked ? '0' : '1');
      replaceParameters(parameters);
      show('only');
    }});
  return [element('label', {}, only, ' only instructions with values'),
    table(Object.assign({caption: 'Instructions of ' + data.procedures[n].procedure, rows, free: true,
      columns: instructionColumns(data.procedures[n], rows, chosen),
      mark: row => ({'data-line': row.file >= 0 ? row.file + ':' + row.line : null, 'data-address': row.address,
        class: c === undefined ? null : heatOf(truth(row.values.get(c)) / largest)})},
    searched('Search instructions', parameters, -1)))];
}

function instructionColumns(p, rows, chosen) {
  const arrows = jumpArrows(rows);
  return [
    {title: 'address', value: row => row.gap ? null : parseInt(row.address, 16), text: row => row.address, code: true},
    arrows && {title: 'jumps', value: () => '', wide: true, cell: (row, inOrder) => inOrder ? arrows(row) : ''},
    {title: 'instruction', value: row => row.text, code: true},
    ...chosen.flatMap(c => [
      ...eventColumns(c, row => row.values || new Map(), chosen.length > 1).map(blankWithoutValues),
      intervalColumn(c, rows)]),
    ...gainColumns(row => row.gap ? undefined : gainOfInstruction(p.image, row.address)),
    chosen.length > 0 && ownShareColumn(p, chosen[0]), stackColumn(rows),
    {title: 'line', value: row => row.gap ? '' : lineName(row.file < 0 ? null : row.file, row.line)}].filter(Boolean);
}

/* The share of the function's own value. */
function ownShareColumn(p, c) {
  const all = truth(valuesOf(p.v).get(c)) || 1, value = row => truth(row.values.get(c));
  return {title: 'of it %', number: true, value: row => row.values?.size > 0 ? value(row) : null,
    text: row => row.values?.size > 0 && !isFewBest(c, row.values.get(c)) ? formatShare(value(row) / all, 1) : ''};
}

function stackColumn(rows) {
  const stack = row => row.categories?.length > 0 ? row.categories : row.signatures || [];
  const cycles = row => sum(stack(row).map(part => part.value));
  const hottest = Math.max(...rows.map(cycles), 1e-9);
  return rows.some(row => stack(row).length > 0) && {title: 'cycle stack', value: cycles,
    cell: row => stack(row).length > 0 ? miniStack(stack(row), hottest) : ''};
}

/* The interval of 95 % of an estimate, of events that have one. */
function intervalColumn(c, rows) {
  if (!rows.some(row => row.intervals?.has(c))) return null;
  const low = row => Math.max(0, (row.values.get(c)?.estimate ?? 0) - row.intervals.get(c).below);
  const high = row => (row.values.get(c)?.estimate ?? 0) + row.intervals.get(c).above;
  return {title: '95 % interval', number: true, value: row => row.intervals?.get(c)?.above ?? null,
    text: row => row.intervals?.has(c) ? formatNumber(Math.round(low(row))) + ' to ' +
      formatNumber(Math.round(high(row))) : ''};
}

/* Instructions without any value have empty cells. */
function blankWithoutValues(column) {
  return Object.assign({}, column, {text: row => row.values?.size > 0 ? column.text(row) : '',
    cell: column.cell ? row => row.values?.size > 0 ? column.cell(row) : '' : undefined,
    value: row => row.values?.size > 0 ? column.value(row) : null});
}

/* ---- arrows ---- */

const LANES = 6, LANE_WIDTH = 7, ROW_HEIGHT = 24;

/* The branches and jumps within the rows as {from, to}, numbers of rows. */
function jumpsOf(rows) {
  const at = new Map(rows.map((row, n) => [row.address, n]));
  return rows.map((row, from) => {
    const found = !row.gap && /^(?:c\.)?(?:b[a-z]+|j)\s(?:.*,)?\s*(?:0x)?([0-9a-f]+)\b/.exec(row.text);
    return found && at.has(found[1]) ? {from, to: at.get(found[1]), lane: -1} : null;
  }).filter(Boolean);
}

/* The pictures of the arrows, by row; null: there are none. Short arrows are in the inner lanes; those without a free
 * lane are left out. */
function jumpArrows(rows) {
  const jumps = jumpsOf(rows).sort((a, b) => Math.abs(a.to - a.from) - Math.abs(b.to - b.from));
  const lanes = Array.from({length: LANES}, () => []);
  for (const jump of jumps) {
    const [low, high] = [Math.min(jump.from, jump.to), Math.max(jump.from, jump.to)];
    jump.lane = lanes.findIndex(lane => lane.every(other => other.high < low || other.low > high));
    if (jump.lane >= 0) lanes[jump.lane].push({low, high});
  }
  const drawn = jumps.filter(jump => jump.lane >= 0), numbers = new Map(rows.map((row, n) => [row, n]));
  if (drawn.length === 0) return null;
  const used = Math.max(...drawn.map(jump => jump.lane)) + 1, width = used * LANE_WIDTH + 8;
  const by = rows.map(() => []);
  for (const jump of drawn) {
    for (let n = Math.min(jump.from, jump.to); n <= Math.max(jump.from, jump.to); n++) by[n].push(jump);
  }
  return row => arrowCell(numbers.get(row), by[numbers.get(row)], width);
}

function arrowCell(n, jumps, width) {
  const x = jump => width - 8 - (jump.lane + 0.5) * LANE_WIDTH, middle = ROW_HEIGHT / 2;
  const parts = jumps.flatMap(jump => {
    const top = n === Math.min(jump.from, jump.to) ? middle : 0;
    const bottom = n === Math.max(jump.from, jump.to) ? middle : ROW_HEIGHT;
    const line = [svg('path', {d: 'M' + x(jump) + ' ' + top + 'V' + bottom})];
    if (n === jump.from || n === jump.to) line.push(svg('path', {d: 'M' + x(jump) + ' ' + middle + 'H' + (width - 1)}));
    if (n === jump.to) line.push(svg('path', {class: 'head', d: 'M' + (width - 6) + ' ' + (middle - 4) +
      'l6 4l-6 4z'}));
    return line;
  });
  return svg('svg', {class: 'arrows', width, height: ROW_HEIGHT, 'aria-hidden': 'true'}, parts);
}
