/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drives pcprof report's page in a browser, as a reader would: check_html.sh puts this script into a copy of the page.
 * The results, "ok WHAT" or "FAILED WHAT", go to the page that has the copy in a frame. */
'use strict';

const results = [];
const errors = [];
addEventListener('error', event => { errors.push(event.message); });
addEventListener('unhandledrejection', event => { errors.push(String(event.reason)); });
addEventListener('securitypolicyviolation', event => { errors.push(event.violatedDirective); });

function check(what, ok) {
  results.push((ok ? 'ok ' : 'FAILED ') + what);
}

function same(what, expected, found) {
  check(what + (expected === found ? '' : ': expected ' + expected + ', found ' + found), expected === found);
}

const $ = selector => document.querySelector(selector);
const all = selector => [...document.querySelectorAll(selector)];

/* Rows of the table with a caption. */
function rowsOf(caption) {
  const table = all('table').find(t => t.caption.textContent.startsWith(caption));
  return table ? [...table.tBodies[0].rows] : [];
}

/* Cells of a column of numbers. */
function numbers(rows, column) {
  return rows.map(row => Number(row.cells[column].textContent.replace(/,/g, '').replace('\u2212', '-')));
}

/* Runs what changes the address, and waits until the page has drawn. */
async function turn(change) {
  const changed = new Promise(resolve => { addEventListener('hashchange', resolve, {once: true}); });
  change();
  await changed;
  await drawn();
}

/* The browser's time is virtual: it passes at once while nothing runs, and without frames. */
async function drawn() {
  do await new Promise(resolve => { setTimeout(resolve, 10); });
  while (!$('h1')); /* the code is being read */
}

async function go(hash) {
  if (location.hash !== hash) await turn(() => { location.hash = hash; });
}

function press(key) {
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
}

function type(input, text) {
  input.focus();
  input.value = text;
  input.dispatchEvent(new Event('input', {bubbles: true}));
}

/* ---- all views ---- */

/* Properties of each view: names for those who do not see it, and nothing beyond the right edge. */
function accessible(view) {
  check(view + ': one heading of the first level', all('h1').length === 1 && $('h1').textContent !== 'Not found');
  check(view + ': pictures have labels', all('svg').filter(s => !s.closest('[aria-hidden]'))
    .every(s => s.getAttribute('aria-label') && s.getAttribute('role')));
  check(view + ': tables have captions', all('table').every(t => t.caption && t.caption.textContent !== ''));
  check(view + ': fields have labels', all('input').every(i => i.labels.length > 0));
  check(view + ': areas that scroll have names', all('.scroll').every(s => s.tabIndex === 0 && s.ariaLabel !== ''));
  check(view + ': no identifier twice', new Set(all('[id]').map(e => e.id)).size === all('[id]').length);
  check(view + ': no wider than the window', document.documentElement.scrollWidth <= innerWidth);
  const [ink, paper] = [getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor];
  check(view + ': contrast of text', contrast(ink, paper) > 7);
  const soft = $('thead th, .note, dt');
  check(view + ': contrast of headings', !soft || contrast(getComputedStyle(soft).color, paper) > 4.5);
}

/* Contrast of two colours: WCAG 2, section 1.4.3. */
function contrast(a, b) {
  const luminance = colour => {
    const [r, g, c] = colour.match(/\d+/g).map(x => x / 255)
      .map(x => x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * c;
  };
  const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
  return (x + 0.05) / (y + 0.05);
}

async function everyView() {
  for (const href of all('nav a').map(link => link.getAttribute('href'))) {
    await go(href);
    same(href + ' is marked in the menu', href, $('nav a[aria-current]')?.getAttribute('href'));
    accessible(href);
  }
  await go('#/run/' + data.runs[0].run);
  accessible('#/run');
  await go('#/nowhere');
  same('an unknown address', 'Not found', $('h1').textContent);
}

/* ---- views ---- */

/* Sum of a column's best known values over the rows of code that a test selects. */
function sumOfCode(c, selected) {
  let found = 0;
  data.procedures.forEach((p, n) => {
    for (const row of codeRows(n)) if (!row.gap && selected(row, p)) found += truth(row.values.get(c));
  });
  return found;
}

async function testOverview() {
  await go('#/');
  const cycles = name => sum(data.procedures.map(p => sum(stackOf(p.s).filter(part => !name || part.name === name)
    .map(part => part.value))));
  const execute = cycles('execute') / cycles();
  check('the sentence begins with what executes', $('.sentence').textContent.startsWith(
    (execute * 100).toFixed(0) + ' % of the cycles execute; '));
  check('and says who knows it', $('.answer .note').textContent.startsWith('Exact: every cycle, by oracle.'));
  check('the difference in a sentence',
    /^\d+\.\d % (fewer|more) cycles per run than s\.db:before: /.test(all('.sentence')[1].textContent));
  same('rows of the first functions', Math.min(HOTTEST, data.procedures.length), rowsOf('Functions').length);
  const shares = data.procedures.map(p => truth(valuesOf(p.v).get(0)) / truthOfColumn(0));
  same('share of the first function', (Math.max(...shares) * 100).toFixed(1),
    rowsOf('Functions')[0].cells[1].textContent);
  same('the code is not read yet', null, packed.code);
  await readPacked('code');
  const [first] = rowsOf('Source lines'), [file, line] = [data.files.findIndex(f => f.endsWith('/sort.c')),
    Number(first.cells[0].textContent.split(':')[1])];
  same('share of the first line', (sumOfCode(0, row => row.file === file && row.line === line) / truthOfColumn(0) * 100)
    .toFixed(1), first.cells[1].textContent);
  check('with its text', first.querySelector('.source').textContent.length > 3);
  same('rows of events', data.columns.length, rowsOf('Events').length);
  check('which are closed at first', !all('details')[0].open);
  same('rows of runs', data.runs.length, rowsOf('Runs').length);
  same('estimate of the first event', Math.round(data.columns[0].estimate), numbers(rowsOf('Events'), 4)[0]);
  const link = $('.sentence a'), mnemonic = link.textContent.split(' ')[0];
  await turn(() => { link.click(); });
  await drawn();
  check('a link leads to the instruction', location.hash.includes('?at=') &&
    $('.assembly tr.marked .code').textContent !== '' && $('.assembly tr[data-address="' +
      location.hash.split('at=')[1] +
    '"]').textContent.includes(mnemonic));
}

async function testLines() {
  await go('#/lines');
  check('lines, the largest first', numbers(rowsOf('Source lines'), 1).every((x, n, list) => n === 0 ||
    x <= list[n - 1]));
  same('estimates of all lines', Math.round(sumOfLines()), Math.round(numbers(rowsOf('Source lines'), 1)
    .reduce((x, y) => x + y, 0)));
  await turn(() => { rowsOf('Source lines')[0].querySelector('a').click(); });
  await drawn();
  const marked = all('.source tr.marked');
  check('a link marks the line', marked.length === 1 && marked[0].textContent.includes(location.hash.split('%3A')[1]));
}

/* Gains: measured ones where they are known, the largest of a line or function, never a sum. */
async function testGains() {
  const {rows} = data.gains, shown = gain => isMeasured(gain) ? formatShare(gain.measured, 1) :
    gain.estimated >= 0.0005 ? '\u2248 ' + formatShare(gain.estimated, 1) : '';
  const largest = list => list.reduce((a, b) => !a || gainShare(b) > gainShare(a) ? b : a, null);
  check('there are measured and estimated gains', rows.some(isMeasured) && rows.some(gain => !isMeasured(gain)));
  check('no event of gains', data.columns.every(column => !column.event.startsWith('gain.')));
  await go('#/');
  const all = largest(rows), words = $('.sentence').textContent;
  same('the sentence says what is gained', gainShare(all) >= 0.01, words.includes('; without ' + all.removed + ' of '));
  check('and how it is known', !words.includes('without') || words.includes('an estimated') !== isMeasured(all));
  const at = caption => [...rowsOf(caption)[0].closest('table').tHead.rows[0].cells].findIndex(cell =>
    cell.textContent === 'gain %');
  for (const row of rowsOf('Functions').slice(0, 3)) {
    const n = data.procedures.findIndex(p => p.procedure === row.cells[0].textContent);
    const gain = largest(rows.filter(other => other.procedure === n));
    same('the gain of ' + row.cells[0].textContent, gain ? shown(gain) : '', row.cells[at('Functions')].textContent);
  }
  for (const [n, row] of rowsOf('Source lines').entries()) {
    const line = data.hot.lines[n], gain = largest(rows.filter(other => other.image === line.image &&
      other.file === line.file && other.line === line.line));
    same('the gain of ' + row.cells[0].textContent, gain ? shown(gain) : '', row.cells[at('Source lines')].textContent);
  }
  await go('#/gains');
  same('rows of gains', Math.min(300, rows.length), rowsOf('Gains').length);
  check('the largest gain first', rows.every((gain, n) => n === 0 || gainShare(gain) <= gainShare(rows[n - 1])));
  same('the share of the time', formatShare(rows[0].time / truthOfColumn(0)), rowsOf('Gains')[0].cells[1].textContent);
  await turn(() => { rowsOf('Gains')[0].querySelector('a').click(); });
  await drawn();
  const row = $('.assembly tr.marked[data-address="' + rows[0].address + '"]');
  check('a link leads to the instruction', row?.textContent.includes(rows[0].text));
  check('which has its gain', [...row?.cells ?? []].some(cell => cell.textContent === shown(rows[0])));
}

/* Estimates of the first column in code with lines, rounded as they are shown. */
function sumOfLines() {
  const lines = new Map();
  data.procedures.forEach((p, n) => {
    for (const row of codeRows(n)) {
      const key = p.image + ':' + row.file + ':' + row.line;
      if (!row.gap && row.file >= 0 && row.values.has(0)) lines.set(key, (lines.get(key) || 0) +
        row.values.get(0).estimate);
    }
  });
  return [...lines.values()].map(x => Math.abs(x) >= 100 ? Math.round(x) : Math.round(x * 100) / 100)
    .reduce((x, y) => x + y, 0);
}

async function testProcedures() {
  await go('#/procedures');
  const shown = Math.min(300, data.procedures.length);
  same('rows of procedures', shown, rowsOf('Procedures').length);
  const header = () => all('thead button').find(b => b.textContent === 'exact');
  header().click();
  let values = numbers(rowsOf('Procedures'), 3);
  check('sorted, the largest first', values.every((x, n) => n === 0 || x <= values[n - 1]));
  same('the heading says so', 'descending', header().parentElement.getAttribute('aria-sort'));
  header().click();
  values = numbers(rowsOf('Procedures'), 3);
  check('sorted, the smallest first', values.every((x, n) => n === 0 || x >= values[n - 1]));
  all('thead button').find(b => b.textContent === 'procedure').click();
  const names = rowsOf('Procedures').map(row => row.cells[0].textContent);
  check('sorted by name', names.every((x, n) => n === 0 || x.localeCompare(names[n - 1], 'en') >= 0));
  type($('input[type=search]'), 'MALLOC');
  same('rows found', data.procedures.filter(p => p.procedure.includes('malloc')).length, rowsOf('Procedures').length);
  check('the address has the search', location.hash.includes('q=MALLOC'));
  check('the number of rows is announced',
    $('[role=status]').textContent.startsWith(rowsOf('Procedures').length + ' of'));
  const columns = rowsOf('Procedures')[0].cells.length;
  const second = $('#chooser-1');
  second.closest('details').open = true;
  second.focus();
  second.click();
  check('a second event has columns', rowsOf('Procedures')[0].cells.length > columns);
  same('the focus stays', 'chooser-1', document.activeElement.id);
  const address = location.hash;
  await turn(() => { rowsOf('Procedures')[0].querySelector('a').click(); });
  check('a link leads to the procedure', location.hash.startsWith('#/procedure/'));
  await turn(() => { history.back(); });
  same('back', address, location.hash);
  same('the search is kept', 'MALLOC', $('input[type=search]').value);
}

async function testProcedure() {
  const p = data.procedures.find(q => q.procedure === 'quicksort');
  await go(procedureAddress(p) + '?events=0.1');
  const n = data.procedures.indexOf(p), code = codeRows(n);
  same('rows of instructions', code.length, rowsOf('Instructions').length);
  same('rows of its events', p.v.length / 3, rowsOf('Events of').length);
  check('instructions are disassembled', rowsOf('Instructions').some(row => row.textContent.includes('(sp)')));
  check('instructions have lines', rowsOf('Instructions').some(row => /\.c:\d+/.test(row.textContent)));
  check('a picture of its cycle stack', all('.stacks rect').length >= 3);
  check('arrows of its loops', all('.arrows .head').length > 2);
  const heads = all('.assembly thead th').map(th => th.textContent), at = name => heads.findIndex(text =>
    text.startsWith(name));
  const shown = rowsOf('Instructions'), few = shown.filter((row, k) => !code[k].gap && code[k].values.has(0) &&
    code[k].values.get(0).estimate < 30 * data.columns[0].per_sample);
  check('few samples: without a share', few.length > 0 && few.every(row => row.cells[at('%')].textContent === ''));
  check('many samples: with one', shown.some(row => Number(row.cells[at('%')]?.textContent) > 1));
  const value = code.find(row => row.intervals?.has(0)), interval = value.intervals.get(0);
  same('the interval of an estimate', formatNumber(Math.round(Math.max(0,
    value.values.get(0).estimate - interval.below))) +
    ' to ' + formatNumber(Math.round(value.values.get(0).estimate + interval.above)),
  shown[code.indexOf(value)].cells[at('95 %')].textContent);
  const own = numbers(shown.filter(row => row.cells[at('of it')]?.textContent), at('of it'));
  check('shares of the function', own.reduce((x, y) => x + y, 0) > 50 && own.every(x => x <= 100));
  const hot = all('.source button.line').find(b => b.closest('tr').className.includes('heat-5'));
  hot.click();
  const marked = all('.assembly tr.marked');
  check('a click on a line marks its instructions', marked.length > 0 &&
    marked.every(row => row.textContent.endsWith(':' + hot.textContent)));
  $('#only').click();
  same('instructions with values', code.filter(row => row.values?.size > 0).length, rowsOf('Instructions').length);
  type($('input[type=search]'), 'ret');
  check('instructions are found', rowsOf('Instructions').every(row => row.textContent.includes('ret')));
}

/* Callers and callees from the call stacks: the values of a function are those of its calls. */
async function testCalls() {
  const p = data.procedures.find(q => q.procedure === 'quicksort');
  await go(procedureAddress(p));
  const callers = rowsOf('Callers of quicksort'), callees = rowsOf('Callees of quicksort');
  check('a recursive function calls itself', [callers, callees].every(rows => rows.some(row =>
    row.cells[0].textContent === 'quicksort')));
  check('main calls it', callers.some(row => row.cells[0].textContent === 'main'));
  let direct = 0;
  const flame = treeOf(data.flames[0]), stack = [];
  flame.depth.forEach((depth, k) => {
    stack.length = depth;
    stack.push(flame.names[flame.name[k]]);
    const inside = stack.lastIndexOf('main');
    if (inside >= 0 && stack[inside + 1] === 'quicksort') direct += flame.value[k];
  });
  same('the value of its calls from main', direct, numbers(callers.filter(row => row.cells[0].textContent === 'main'),
    1)[0]);
  await turn(() => { all('a').find(a => a.textContent === 'Flame graph of callers and callees').click(); });
  await drawn();
  same('the function of the flame graph', 'quicksort', $('input[list]').value);
}

/* Differences: those of pcprof diff, in the tables of functions and lines. */
async function testComparison() {
  for (const [view, caption, name, list] of [['#/procedures', 'Procedures', 'quicksort', data.comparison.procedures],
    ['#/lines', 'Source lines', null, data.comparison.lines]]) {
    await go(view);
    const heads = all('thead th').map(th => th.textContent), at = text => heads.findIndex(h => h.startsWith(text));
    const row = name ? rowsOf(caption).find(r => r.cells[0].textContent === name) : rowsOf(caption)[0];
    const n = list.name.indexOf(row.cells[0].textContent);
    same(view + ': the value before', formatNumber(list.before[n]), row.cells[at('before')].textContent);
    same(view + ': the difference', formatDifference({difference: list.after[n] - list.before[n]}),
      row.cells[at('difference')].textContent);
    same(view + ': significance', list.q[n] < 0.05 ? 'yes' : 'no', row.cells[at('significant')].textContent);
    check(view + ': both kinds', ['yes', 'no'].every(text => rowsOf(caption).some(r =>
      r.cells[at('significant')].textContent === text)));
  }
}

/* Shares of slots and of cycles stand on one page, which explains them. */
async function testSlots() {
  for (const view of ['#/', '#/stacks', procedureAddress(data.procedures.find(p => p.s.length > 0))]) {
    await go(view);
    await drawn();
    check(view + ': cycle stacks and slots', all('.note').some(note => note.textContent.includes('issue slots')));
  }
}

/* A comparison of files of other names: that is said, and everything before is gone. */
async function testNothingInCommon() {
  for (const [view, caption] of [['#/', 'Functions that are gone'], ['#/procedures', 'Functions that are gone'],
    ['#/lines', 'Lines that are gone']]) {
    await go(view);
    check(view + ': no file in common', all('.note').some(note => note.textContent.includes('no file of one name')));
    const list = view === '#/lines' ? data.comparison.lines : data.comparison.procedures;
    const gone = list.name.filter((_, n) => list.before[n] > 0 && list.after[n] === 0).length;
    same(view + ': what is gone', Math.min(view === '#/' ? HOTTEST : 300, gone), rowsOf(caption).length);
  }
}

async function testForms() {
  const label = name => all('.box').find(b => b.getAttribute('aria-label').startsWith(name +
    ':'))?.getAttribute('aria-label');
  const value = text => Number(/: ([\d,]+)/.exec(text)[1].replace(/,/g, ''));
  const flame = treeOf(data.flames[0]), total = flame.value.reduce((a, b) => a + b, 0);
  await go('#/flame');
  const whole = value(label('quicksort'));
  await go('#/flame/0?form=inverted');
  await drawn();
  const tops = all('.box[aria-level="2"]').map(b => value(b.getAttribute('aria-label')));
  check('leaf first: own values', tops.reduce((a, b) => a + b, 0) <= total && tops.reduce((a, b) => a + b,
    0) > 0.9 * total);
  same('that of a function', flame.value.filter((_, n) => flame.names[flame.name[n]] === 'quicksort').reduce((a, b) =>
    a + b, 0),
    value(all('.box[aria-level="2"]').map(b => b.getAttribute('aria-label')).find(text =>
      text.startsWith('quicksort:'))));
  await go('#/flame/0?form=sandwich&fn=quicksort');
  await drawn();
  same('two graphs', 2, all('.flame').length);
  check('of the function with its callees', all('.flame').every(f => value([...f.querySelectorAll('.box')]
    .find(b => b.getAttribute('aria-level') === '1').getAttribute('aria-label')) === whole));
  check('its caller above', [...all('.flame')[0].querySelectorAll('.box')].some(b =>
    b.getAttribute('aria-label').startsWith('main:')));
  await go('#/flame/0?with=before');
  await drawn();
  const before = treeOf(data.comparison.flames[0]).value.reduce((a, b) => a + b, 0);
  check('the total before', label('all').includes('; before ' + formatNumber(before) + ', '));
  check('boxes have colours of change', all('.box').every(b => /change-/.test(b.getAttribute('class'))));
  accessible('difference');
  const zoomed = '#/flame/0?zoom=0&q=quick';
  await go(zoomed);
  await drawn();
  same('a link to a view with its search', 'quick',
    $('.flame').parentElement.querySelector('input[type=search]').value);
  check('and its zoom', all('.box').filter(b =>
    b.getAttribute('tabindex') === '0')[0].getAttribute('aria-level') === '2');
}

async function testFlame() {
  await go('#/flame');
  await drawn();
  const boxes = () => all('.box');
  const named = name => boxes().find(b => b.getAttribute('aria-label').startsWith(name + ':'));
  const widthOf = box => Number(box.querySelector('rect').getAttribute('width'));
  check('boxes', boxes().length > 10);
  const before = widthOf(named('main')), full = widthOf(named('all'));
  check('a callee is narrower', before < full);
  named('main').dispatchEvent(new MouseEvent('click', {bubbles: true}));
  same('a click zooms', full, widthOf(named('main')));
  check('the address has the zoom', location.hash.includes('zoom='));
  same('the focus is on the box', named('main'), document.activeElement);
  press('ArrowDown');
  check('arrow down: a callee', document.activeElement.getAttribute('aria-label').startsWith('quicksort:'));
  press('ArrowUp');
  same('arrow up: the caller', named('main'), document.activeElement);
  press('Escape');
  same('Escape resets the zoom', before, widthOf(named('main')));
  type($('.flame').parentElement.querySelector('input[type=search]'), 'quick');
  check('matches are marked',
    all('.match').length > 0 && all('.match').every(b => b.ariaLabel.startsWith('quicksort')));
  check('the share of matches', /^\d+\.\d\d % in functions/.test($('[role=status]').textContent));
  const total = treeOf(data.flames[0]).value.reduce((a, b) => a + b, 0);
  same('own values of the table add up', total, numbers(rowsOf('Functions'), 1).reduce((a, b) => a + b, 0));
}

/* Few samples: no view has a share of them, whichever the table. */
async function testFewSamples() {
  const few = data.procedures.filter(p => isFew(0, valuesOf(p.v).get(0)?.estimate ?? 0));
  check('there are functions of few samples', few.length > 0 && few.length < data.procedures.length);
  await go('#/procedures');
  const heads = all('thead th').map(th => th.textContent), of = title => heads.findIndex(h => h.startsWith(title));
  const rows = rowsOf('Procedures').filter(row => few.some(p => p.procedure === row.cells[0].textContent));
  check('they have neither share nor error', rows.length > 0 && rows.every(row =>
    row.cells[of('%')].textContent === '' && row.cells[of('error')].textContent === ''));
  check('and are grey', rows.every(row => row.cells[of('cycles')].querySelector('.few')));
  await go('#/profilers');
  const beside = rowsOf('Shares by profiler');
  const column = all('table').find(t => t.caption.textContent === 'Shares by profiler').tHead.rows[0];
  const by = [...column.cells].findIndex(cell => cell.textContent.startsWith(data.columns[0].by));
  check('beside the exact share: none', beside.every(row => (row.cells[by].textContent === '') ===
    few.some(p => p.procedure === row.cells[0].textContent)));
}

/* The time line: lanes have the numbers of the report, a click and the slider choose an interval. */
async function testTimeLine() {
  await go('#/time');
  const run = runsWith('phases')[0], {intervals, functions} = run.detail.phases;
  same('the intervals are the run', run.cycles, sum(intervals.map(i => i.cycles)));
  same('and its instructions', run.instructions, sum(intervals.map(i => i.retired)));
  same('which is by category', run.cycles * 840, sum(intervals.flatMap(i => Object.values(i.categories))));
  const titles = all('.lane .bar-title').map(e => e.textContent.split(',')[0]);
  same('lanes', 'Cycles by category; Function with the most cycles; Instructions per cycle; Handlers that begin; ' +
    'Samples of the co-processor', titles.join('; '));
  const picture = $('.lane-picture'), box = picture.getBoundingClientRect(), n = Math.floor(intervals.length / 2);
  const middle = (intervals[n].from + intervals[n].cycles / 2) / run.cycles;
  picture.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: box.left + middle * box.width}));
  check('a click chooses an interval', location.hash.endsWith('interval=' + n) && all('h2')[0].textContent
    .startsWith('Interval ' + n + ':'));
  const rows = functions.filter(f => f.interval === n);
  same('its functions', rows.map(f => f.function ?? '(unknown)').join(' '), rowsOf('Functions of the interval')
    .map(row => row.cells[0].textContent).join(' '));
  same('their cycles', Math.round(rows[0].time / 840), Math.round(numbers(rowsOf('Functions of the interval'), 1)[0]));
  const slider = $('#interval');
  slider.focus();
  slider.value = n + 1;
  slider.dispatchEvent(new Event('input', {bubbles: true}));
  check('the slider chooses another one', location.hash.endsWith('interval=' + (n + 1)));
  same('and keeps the focus', 'interval', document.activeElement.id);
  const link = rowsOf('Functions of the interval').map(row => row.querySelector('a')).find(a => a &&
    a.textContent !== '(unknown)');
  await turn(() => { link.click(); });
  await drawn();
  same('a link leads to the code', link.textContent, $('h1').textContent);
}

/* The pipeline: a box for each stage, where its cycles are; rows and their code. */
async function testPipeline() {
  await go('#/pipeline?row=120');
  await drawn();
  const {rows} = pipelineOf(), shown = rows.slice(100, 200);
  same('instructions of the log', 600, rows.length);
  same('rows', shown.length, all('.pipeline-labels li').length);
  same('boxes', sum(shown.map(row => row.steps.length)), all('.pipeline rect[class^=stage]').length);
  const box = all('.pipeline rect[class^=stage]')[0], from = Math.min(...shown.map(row => row.fetched));
  same('the place of the first one', (shown[0].steps[0].from - shown[0].fetched) * 14, Number(box.getAttribute('x')));
  check('the first row is fetched first', from === shown[0].fetched);
  await go('#/pipeline?row=3');
  await drawn();
  const squashed = rows.slice(0, 100).filter(row => row.squashed).length;
  check('squashed ones are struck through', squashed > 0 && all('.pipeline-labels .squashed').length === squashed &&
    all('.pipeline g.squashed').length === squashed);
  press('+');
  check('+ zooms in', location.hash.includes('zoom=22') && document.activeElement.id === 'zoom-in');
  const code = all('dd a').find(a => a.getAttribute('href').startsWith('#/procedure/'));
  await turn(() => { code.click(); });
  await drawn();
  check('a link to the instruction', all('.assembly tr.marked').some(row => row.dataset.address === rows[3].place[2] &&
    row.textContent.includes(rows[3].text.split(': ')[1])));
}

/* Keys, from anywhere on the page. */
async function testKeys() {
  await go('#/');
  $('main').focus();
  press('?');
  check('? opens the list of keys', $('#help').open && $('#help').textContent.includes('search in the view'));
  press('2');
  check('which keeps the keys to itself', location.hash === '#/');
  $('#help button').click();
  check('and closes', !$('#help').open);
  $('main').focus();
  await turn(() => { press('2'); });
  same('2: the second view', '#/procedures', location.hash);
  press('/');
  same('/: its search', $('main input[type=search]'), document.activeElement);
  press('j');
  same('where letters are text', $('main input[type=search]'), document.activeElement);
  press('Escape');
  press('j');
  same('j: the first row', rowsOf('Procedures')[0].querySelector('a'), document.activeElement);
  press('ArrowDown');
  press('j');
  press('ArrowUp');
  same('down, down, up: the second one', rowsOf('Procedures')[1].querySelector('a'), document.activeElement);
  await turn(() => { press(']'); });
  const links = all('nav a').map(link => link.getAttribute('href'));
  same(']: the next view', links[2], location.hash);
  await turn(() => { press('['); });
  same('[: the one before', links[1], location.hash);
  await go('#/cost');
  $('main').focus();
  await turn(() => { press('/'); });
  same('/ in a view without a search: that of the procedures', '#/procedures', location.hash);
  same('with the focus in it', $('main input[type=search]'), document.activeElement);
  document.activeElement.blur();
}

/* One colour has one meaning: no two meanings have colours that are hard to tell apart. */
function testColours() {
  const style = getComputedStyle(document.documentElement);
  const names = [...new Set([...COLOUR_OF.values(), 'change-more', 'change-less', 'heat'])]
    .filter(name => !name.startsWith('signature')).concat([...Array(10).keys()].map(n => 'signature-' + n));
  const colours = names.map(name => {
    const text = style.getPropertyValue('--' + name).trim();
    return {name, rgb: text.startsWith('#') ? [1, 3, 5].map(n => parseInt(text.slice(n, n + 2), 16)) :
      text.split(',').map(Number)};
  });
  check('colours are known', colours.every(c => c.rgb.length === 3 && c.rgb.every(Number.isFinite)));
  const close = [];
  colours.forEach((a, n) => colours.slice(n + 1).forEach(b => {
    if (Math.hypot(...a.rgb.map((x, k) => x - b.rgb[k])) < 20) close.push(a.name + ' and ' + b.name);
  }));
  same('colours that are too close', '', close.join(', '));
}

async function testTheme() {
  await go('#/');
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const paper = () => getComputedStyle(document.body).backgroundColor;
  const first = paper();
  same('the preferred colours', dark ? 'rgb(21, 24, 28)' : 'rgb(255, 255, 255)', first);
  $('#theme').click();
  check('the button changes the colours', paper() !== first);
  accessible('other colours');
  $('#theme').click();
  same('and changes them back', first, paper());
  same('the choice is kept', dark ? 'dark' : 'light', localStorage.getItem('pcprof-theme'));
  localStorage.removeItem('pcprof-theme');
}

async function testHostile() {
  await go('#/flame');
  same('the first flame graph', 'Flame graph: cycles', $('h1').textContent);
  const p = data.procedures.find(q => (q.full || q.procedure).startsWith('<\/script>'));
  same('the full name is kept', '<\/script><img/src=x/onerror=hostile()>', p.full);
  check('its short name can be hostile, too', p.procedure.startsWith('<\/script>'));
  check('a hostile name in it', all('.box').some(b => b.getAttribute('aria-label').startsWith(p.procedure)));
  const chooser = $('select'), other = [...chooser.options].find(o => o.textContent === 'cycles (tip:period=101)');
  await turn(() => {
    chooser.value = other.value;
    chooser.dispatchEvent(new Event('change'));
  });
  check('another event is chosen', location.hash.startsWith('#/flame/1') &&
    $('.note').textContent.startsWith('By tip:'));
  await go('#/procedures');
  check('a hostile name is text',
    all('td, th').some(cell => cell.textContent === p.procedure));
  await go(procedureAddress(p));
  check('also as a heading', $('h1').textContent === p.procedure && document.title.startsWith(p.procedure));
  check('the full name is text', document.body.textContent.includes(p.full) && !$('img'));
  check('callers', rowsOf('Callers of').some(row => row.cells[0].textContent === 'main'));
  const kept = data.flames.splice(0); /* as of a store without call stacks */
  show();
  check('callers from the transfers, without call stacks', rowsOf('Callers of').some(row =>
    row.cells[0].textContent === 'main' && row.cells[1].textContent === '1'));
  data.flames.push(...kept);
  await testNothingInCommon();
  await testSlots();
  await everyView();
  same('no image', 0, all('img').length);
}

/* The rules of axe-core, if the copy of the page has it. */
async function testAxe() {
  const hashes = [...all('nav a').map(link => link.getAttribute('href')), '#/run/' + data.runs[0].run,
    procedureAddress(data.procedures[0]), '#/flame/0?form=sandwich', '#/flame/0?with=before'];
  for (const hash of hashes) {
    await go(hash);
    await drawn();
    for (const details of all('details')) details.open = true;
    const found = await axe.run(document, {resultTypes: ['violations']});
    same('axe-core: ' + hash, '', found.violations.map(v => v.id + ' ' + v.nodes.slice(0, 3).map(n => n.html.slice(0,
      120))
      .join(' ')).join('; '));
  }
}

/* What each view says: at most so many of its lines, because tables are long. The boxes of a flame graph have names as
 * far as they are wide enough; the table below has their numbers. */
const TEXT_LINES = 60;

async function textOfViews() {
  const texts = [];
  for (const line of $('#views').textContent.trim().split('\n')) {
    const [name, hash] = line.split(' ');
    await go(hash);
    await drawn();
    for (const graph of all('.flame svg')) graph.remove();
    const said = $('main').innerText.split('\n').map(text => text.trim()).filter(text => text !== '');
    texts.push('== ' + name, ...said.slice(0, TEXT_LINES));
  }
  return texts.map(text => 'text ' + text);
}

addEventListener('load', async () => {
  try {
    await drawn();
    if (data.procedures.some(p => p.procedure.startsWith('<\/script>'))) {
      await testHostile();
    } else {
      for (const test of [testOverview, everyView, testGains, testProcedures, testLines, testProcedure, testCalls,
        testComparison, testFlame, testForms, testFewSamples, testTimeLine, testPipeline, testKeys, testColours,
        testTheme]) {
        await test();
      }
    }
  } catch (error) {
    check('the test runs to its end: ' + error.stack, false);
  }
  same('errors', '', errors.join('; '));
  if (typeof axe !== 'undefined') await testAxe();
  results.push(...await textOfViews().catch(error => ['FAILED text: ' + error.stack]));
  parent.postMessage(results.join('\n'), '*');
});
