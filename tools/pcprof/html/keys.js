/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of all views, and the overlay that lists them. The flame graphs and time lines have keys of their own. */

const KEYS = [
  ['/', 'search in the view, or in the procedures if the view has no search'],
  ['j k', 'the next or previous row of a table; in a row also the arrow keys'],
  ['Enter', 'open what has the focus; zoom into a box of a flame graph'],
  ['1 \u2026 9', 'the views, in the order of the menu'],
  ['[ ]', 'the previous or the next view'],
  ['\u2190 \u2191 \u2192 \u2193', 'in a flame graph the functions beside, above and below'],
  ['+ -', 'in the view of the pipeline, zoom'],
  ['Escape', 'leave a search; reset the zoom of a flame graph'],
  ['d', 'light or dark colours'],
  ['?', 'these keys'],
];

const help = element('dialog', {id: 'help', 'aria-labelledby': 'help-title'},
  element('h2', {id: 'help-title'}, 'Keys'),
  element('dl', {class: 'keys'}, KEYS.map(([keys, what]) => element('div', {},
    element('dt', {}, keys.split(' ').map(key => [element('kbd', {}, key), ' '])), element('dd', {}, what)))),
  element('button', {type: 'button', onclick: () => { help.close(); }}, 'Close'));

function helpButton() {
  return element('button', {type: 'button', id: 'keys', 'aria-haspopup': 'dialog', title: 'Keys (?)',
    onclick: () => { help.showModal(); }}, 'Keys');
}

/* ---- what the keys do ---- */

/* The search field of the view; without one that of the procedures. */
function searchView() {
  const field = main.querySelector('input[type=search]');
  if (field) {
    field.focus();
    field.select();
    return;
  }
  addEventListener('hashchange', () => { main.querySelector('input[type=search]')?.focus(); }, {once: true});
  location.hash = '#/procedures';
}

/* Moves the focus by rows of the table that has it; else into the first table. */
function moveRow(step) {
  const current = document.activeElement.closest('tbody tr');
  const rows = [...(current?.parentElement ?? main.querySelector('tbody'))?.rows ?? []];
  const row = current ? rows[rows.indexOf(current) + step] : rows[0];
  if (!row) return;
  const target = row.querySelector('a, button') ?? row;
  if (target === row) row.tabIndex = -1;
  target.focus();
}

function moveView(step) {
  const links = [...document.querySelectorAll('nav a')];
  const at = links.findIndex(link => link.hasAttribute('aria-current'));
  links[at + step]?.click();
}

const KEY_ACTIONS = {
  '/': searchView, '?': () => { help.showModal(); }, 'j': () => { moveRow(1); }, 'k': () => { moveRow(-1); },
  '[': () => { moveView(-1); }, ']': () => { moveView(1); }, 'd': () => { document.getElementById('theme').click(); },
  '+': () => { document.getElementById('zoom-in')?.click(); },
  '-': () => { document.getElementById('zoom-out')?.click(); },
};

/* The keys of a row that has the focus. */
const ROW_ACTIONS = {
  'ArrowDown': () => { moveRow(1); }, 'ArrowUp': () => { moveRow(-1); },
  'Enter': () => { document.activeElement.click(); },
};

function actionOf(key, focus) {
  if (/^[1-9]$/.test(key)) return () => { document.querySelectorAll('nav a')[Number(key) - 1]?.click(); };
  const inRow = focus.closest('tbody tr');
  return KEY_ACTIONS[key] ?? (inRow && (key !== 'Enter' || inRow === focus) ? ROW_ACTIONS[key] : undefined);
}

document.addEventListener('keydown', event => {
  const focus = document.activeElement ?? document.body;
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || help.open) return;
  if (focus.matches('input[type=search], input[type=text], select')) {
    if (event.key === 'Escape') focus.blur();
    return;
  }
  const action = actionOf(event.key, focus);
  if (!action) return;
  event.preventDefault();
  action();
});
