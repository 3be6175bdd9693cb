/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The overview: where the time goes, in a sentence, by function and by line; then what was measured. */

const HOTTEST = 10, LEAST_SHARE = 0.0005;

function overview() {
  return [element('h1', {}, 'Profile of ' + data.store + (data.epoch ? ':' + data.epoch : '')),
    data.columns.length > 0 ? [answer(), hottestFunctions(), goneProcedures(HOTTEST), hottestLines()] : null,
    section('What was measured', element('details', {}, element('summary', {}, eventSummary()), eventTable(),
      element('p', {class: 'note'}, 'Exact: ground truth from the simulator. Misplaced: ' +
        'share of the estimate at another procedure, or instruction, than the exact one.')),
    element('details', {open: data.runs.length <= 4}, element('summary', {}, runSummary()), runTable()))];
}

/* ---- the sentence ---- */

/* What an instruction that does not finish waits for, by its mnemonic. */
const UNITS = [
  [/^f(div|sqrt)/, 'wait for the floating-point divider'], [/^(div|rem)/, 'wait for the divider'],
  [/^mul/, 'wait for the multiplier'], [/^f(?!ence)/, 'wait for floating-point arithmetic'],
  [/^(csr|fence|ecall|ebreak|sfence)/, 'wait for serialising instructions'],
];
const REASONS = {
  'load stall': 'wait for loads', 'store stall': 'wait for stores', 'front end': 'wait for instructions to fetch',
  'mispredict': 'are lost to mispredicted branches', 'flush': 'are lost to flushes of the pipeline',
  'handler': 'are handlers, or have no thread', 'execute': 'execute',
};

function reasonOf(category, text) {
  if (category !== 'ALU stall') return REASONS[category] || category;
  return (UNITS.find(([mnemonic]) => mnemonic.test(text)) || [null, 'wait for arithmetic'])[1];
}

/* The cycles by reason, the largest first, each with the instruction that has the most of it. */
function reasons() {
  const found = new Map();
  for (const wait of data.hot.waits) {
    const category = data.components[wait.component], name = reasonOf(category, wait.mnemonic);
    const reason = found.get(name) || {name, category, cycles: 0, most: null};
    reason.cycles += wait.cycles;
    if (!reason.most || wait.most > reason.most.most) reason.most = wait;
    found.set(name, reason);
  }
  return [...found.values()].sort((a, b) => b.cycles - a.cycles);
}

/* ": remuw in may_throw, tmpl.cc:41", with a link to it; nothing if no instruction waits, as in a handler. */
function placeOf({most, category}) {
  const p = data.procedures[most.procedure];
  if (p.image < 0 || category === 'handler') return null;
  return [': ', procedureLink(p, {at: most.address}, (most.mnemonic ? most.mnemonic + ' in ' :
    '') + p.procedure +
    (most.file >= 0 ? ', ' + lineName(most.file, most.line) : ''))];
}

function percent(share) {
  return (share * 100).toFixed(share < 0.0995 ? 1 : 0) + ' %';
}

/* Where the time goes. */
function answer() {
  const list = reasons(), all = sum(list.map(reason => reason.cycles));
  const words = all > 0 ? stallSentence(list, all) : shareSentence(), gain = data.gains.rows[0];
  return element('div', {class: 'answer'},
    element('p', {class: 'sentence'}, words, gainWords(gain) ? ['; ', gainWords(gain)] : null, '.'),
    compared ? element('p', {class: 'sentence'}, comparisonSentence()) : null, noCommonImage(),
    element('p', {class: 'note'}, knownBy(all > 0) + gainKnownBy(gain) + ' ' + whole.format(totals.cycles) +
      ' cycles, ' + whole.format(totals.instructions) + ' instructions, ' +
      (totals.instructions / totals.cycles).toFixed(2) + ' per cycle, ' + whole.format(data.runs.length) +
      (data.runs.length === 1 ? ' run' : ' runs') +
      stoppedEarly() + '.'), all > 0 ? slotsNote() : null);
}

function stallSentence(list, all) {
  const execute = list.find(reason => reason.category === 'execute');
  const waits = list.filter(reason => reason !== execute).slice(0, 2).filter(reason => reason.cycles > 0.01 * all);
  return [percent((execute?.cycles ?? 0) / all) + ' of the cycles execute',
    waits.map(reason => ['; ' + percent(reason.cycles / all) + ' ' + reason.name, placeOf(reason)])];
}

function shareSentence() {
  const p = data.procedures[0], column = data.columns[0];
  if (!p) return 'The profile has no values';
  return [percent(truth(valuesOf(p.v).get(0)) / truthOfColumn(0)) + ' of ' + columnName(0) + ' are in ',
    p.image >= 0 ? procedureLink(p, {}) : p.procedure, ', of ' + formatNumber(truthOfColumn(0)) + ' ' + column.unit];
}

/* Which profile the sentence is from. */
function knownBy(hasCategories) {
  if (!hasCategories) return 'By ' + columnName(0) + ', ' + authority(0) + '; the runs have no profile of time.';
  const {by, exact} = data.categories;
  return exact ? 'Exact: every cycle, by ' + by + '.' : 'Estimated by ' + by + ', because the runs have no exact ' +
    'profile of time (oracle).';
}

function stoppedEarly() {
  const partial = data.runs.filter(run => run.partial).length;
  return partial === 0 ? '' : partial === data.runs.length ? ', stopped early' :
    ', of which ' + whole.format(partial) + ' stopped early';
}

/* ---- functions and lines ---- */

/* Stacked bars of the functions with the most time, as long as their shares; without categories plain ones. */
function hottestFunctions() {
  const total = truthOfColumn(0);
  const rows = data.procedures.map(p => ({p, parts: stackOf(p.s), value: truth(valuesOf(p.v).get(0))}))
    .sort((a, b) => b.value - a.value).slice(0, HOTTEST).filter(row => row.value > 0);
  const largest = Math.max(...rows.map(row => row.value), 1e-9);
  const names = [...new Set(rows.flatMap(row => row.parts.map(part => part.name)))];
  return section('Functions with the most ' + data.columns[0].event, table({caption: 'Functions', rows, head: 0,
    columns: [
    {title: 'function', value: row => row.p.procedure, code: true, cell: row => procedureLink(row.p, {})},
    shareOfMany('%', row => row.value / total, row => isFewTruth(0, row.value), 1),
    ...gainColumns(row => gainOfProcedure(row.p)),
    {title: 'cycle stack', wide: true, value: row => row.value,
      cell: row => barOf(row.parts.length > 0 ? row.parts : [{name: 'execute', value: row.value}], largest)},
    ...differenceColumns(row => comparedProcedure(row.p), true)]}), legendOf(names), comparisonNote(),
  element('p', {}, element('a', {href: '#/procedures'}, 'All functions')));
}

/* The hottest lines; of code without lines the hottest instructions. */
function hottestLines() {
  const total = truthOfColumn(0), rows = data.hot.lines.filter(row => row.value > LEAST_SHARE * total);
  if (rows.length === 0) return hottestInstructions();
  const largest = rows[0].value;
  return section('Source lines with the most ' + data.columns[0].event, table({caption: 'Source lines', rows, head: 0,
    columns: [
    {title: 'line', value: row => lineName(row.file, row.line), code: true, place: true, cell: row => lineLink(row)},
    shareOfMany('%', row => row.value / total, row => isFewTruth(0, row.value), 1),
    ...gainColumns(gainOfLine),
    {title: 'heat', value: row => row.value, cell: row => heatBar(row.value / largest)},
    {title: 'source', value: row => sourceText(row.file, row.line)?.trim() ?? '', code: true, source: true},
    {title: 'function', value: row => data.procedures[row.procedure].procedure, code: true, clip: true},
    ...differenceColumns(comparedLine, true)]}), gainNote('a line or function'), comparisonNote(),
  element('p', {}, element('a', {href: '#/lines'}, 'All lines')));
}

function lineLink(row) {
  return procedureLink(data.procedures[row.procedure], {line: row.file + ':' + row.line}, lineName(row.file, row.line));
}

function hottestInstructions() {
  const rows = data.hot.instructions.filter(row => row.image >= 0);
  if (rows.length === 0) return null;
  const total = truthOfColumn(0), largest = rows[0].value, procedureOf = row => data.procedures[row.procedure];
  return section('Instructions with the most ' + data.columns[0].event, table({caption: 'Instructions', rows, head: 0,
    columns: [
      {title: 'function', value: row => procedureOf(row).procedure, code: true,
        cell: row => procedureLink(procedureOf(row), {at: row.address})},
      shareOfMany('%', row => row.value / total, row => isFewTruth(0, row.value), 1),
      ...gainColumns(row => gainOfInstruction(row.image, row.address)),
      {title: 'heat', value: row => row.value, cell: row => heatBar(row.value / largest)},
      {title: 'instruction', value: row => row.text, code: true}]}),
  gainNote('a function'), element('p', {class: 'note'}, 'The code has no source lines: it was compiled without -g.'));
}

/* ---- what was measured ---- */

function eventSummary() {
  const profilers = new Set(data.columns.map(c => c.by));
  return whole.format(data.columns.length) + (data.columns.length === 1 ? ' event' : ' events') + ' by ' +
    [...profilers].slice(0, 6).join(', ') + (profilers.size > 6 ? ' and others' : '');
}

function runSummary() {
  return whole.format(data.runs.length) + (data.runs.length === 1 ? ' run' : ' runs');
}

function eventTable() {
  return table({caption: 'Events', rows: data.columns, head: 0, columns: [
    textColumn('event', c => c.event), Object.assign(textColumn('profiler', c => c.by), {code: true}),
    textColumn('source', c => c.source), numberColumn('samples', c => c.sampled), numberColumn('estimate',
      c => c.estimate),
    numberColumn('exact', c => c.exact), errorColumn('error %', c => c.error),
    shareColumn('misplaced %', c => c.misplaced), shareColumn('by instruction %', c => c.misplaced_instructions),
    numberColumn('lost', c => c.lost)]});
}

function runTable() {
  return table({caption: 'Runs', rows: data.runs, head: 0, search: data.runs.length > 10 ? 'Search runs' : null,
    columns: [
    Object.assign(numberColumn('run', r => r.run), {cell: r => element('a', {href: '#/run/' + r.run}, String(r.run))}),
    textColumn('epoch', r => r.epoch), textColumn('guest', r => r.guest), textColumn('configuration',
      r => r.configuration),
    numberColumn('harts', r => r.harts), textColumn('program', r => r.program ?? '-'),
    numberColumn('seed', r => r.seed), numberColumn('cycles', r => r.cycles),
    numberColumn('instructions', r => r.instructions),
    Object.assign(numberColumn('IPC', r => r.instructions / r.cycles),
      {text: r => (r.instructions / r.cycles).toFixed(2)}),
    textColumn('partial', r => r.partial ? 'yes' : 'no')]});
}
