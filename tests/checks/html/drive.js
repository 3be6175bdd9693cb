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
  await new Promise(resolve => { setTimeout(resolve, 10); });
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

async function testOverview() {
  await go('#/');
  same('rows of events', data.columns.length, rowsOf('Events').length);
  same('rows of runs', data.runs.length, rowsOf('Runs').length);
  same('rows of the first procedures', Math.min(10, data.procedures.length), rowsOf('Procedures').length);
  const [shown] = numbers(rowsOf('Events'), 4);
  same('estimate of the first event', Math.round(data.columns[0].estimate), shown);
  same('the largest procedure', Math.round(Math.max(...data.procedures.map(p => valuesOf(p.v).get(0)?.estimate ?? 0))),
    numbers(rowsOf('Procedures'), 1)[0]);
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
  same('rows of instructions', p.code.length, rowsOf('Instructions').length);
  same('rows of its events', p.v.length / 3, rowsOf('Events of').length);
  check('instructions are disassembled', rowsOf('Instructions').some(row => row.textContent.includes('(sp)')));
  const at = all('thead th').findIndex(th => th.textContent === 'line');
  check('instructions have lines', at >= 0 && rowsOf('Instructions').some(row => /\.c:\d+/.test(row.textContent)));
  check('a picture of its cycle stack', all('.stacks rect').length >= 3);
  $('#only').click();
  same('instructions with values', p.code.filter(c => typeof c !== 'number' && c[4]?.length > 0).length,
    rowsOf('Instructions').length);
  type($('input[type=search]'), 'ret');
  check('instructions are found', rowsOf('Instructions').every(row => row.textContent.includes('ret')));
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
  press('ArrowUp');
  check('arrow up: a callee', document.activeElement.getAttribute('aria-label').startsWith('quicksort:'));
  press('ArrowDown');
  same('arrow down: the caller', named('main'), document.activeElement);
  press('Escape');
  same('Escape resets the zoom', before, widthOf(named('main')));
  type($('.flame').parentElement.querySelector('input[type=search]'), 'quick');
  check('matches are marked',
    all('.match').length > 0 && all('.match').every(b => b.ariaLabel.startsWith('quicksort')));
  check('the share of matches', /^\d+\.\d\d % in functions/.test($('[role=status]').textContent));
  const total = data.flames[0].value.reduce((a, b) => a + b, 0);
  same('own values of the table add up', total, numbers(rowsOf('Functions'), 1).reduce((a, b) => a + b, 0));
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
  await go('#/procedures');
  check('a hostile name is text',
    all('td, th').some(cell => cell.textContent === '<\/script><img/src=x/onerror=hostile()>'));
  const p = data.procedures.find(q => q.procedure.startsWith('<\/script>'));
  await go(procedureAddress(p));
  check('also as a heading', $('h1').textContent.startsWith('<\/script>') && document.title.startsWith('<\/script>'));
  await everyView();
  same('no image', 0, all('img').length);
}

addEventListener('load', async () => {
  try {
    await drawn();
    if (data.procedures.some(p => p.procedure.startsWith('<\/script>'))) {
      await testHostile();
    } else {
      for (const test of [testOverview, everyView, testProcedures, testProcedure, testFlame, testTheme]) await test();
    }
  } catch (error) {
    check('the test runs to its end: ' + error.stack, false);
  }
  same('errors', '', errors.join('; '));
  parent.postMessage(results.join('\n'), '*');
});
