/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables that are sorted by a click on a heading and searched by a text. */

const ROWS_SHOWN = 300;

/* Makes a table.
 *   caption     text; the name of the region that scrolls
 *   columns     [{title, value(row), text(row), cell(row), unit, number}]: the value is sorted by, the text shown, a
 *               cell is an element in its place; number: aligned at the right
 *   rows        any objects; a row with `gap` spans the table
 *   mark        attributes of a row
 *   free        no limit of rows; the area scrolls in both directions
 *   search      label of a search field; null: none. Rows match if a text of theirs has the words
 *   state       {sort, down, query}: initial state; changed(state) is called when the reader changes it */
function table(options) {
  const state = Object.assign({sort: -1, down: true, query: ''}, options.state);
  const body = element('tbody');
  const count = element('p', {class: 'count', role: 'status'});
  const heads = options.columns.map((column, n) => heading(column, n));
  const more = element('button', {type: 'button', onclick: () => { limit = Infinity; show(); }}, 'Show all rows');
  let limit = options.free ? Infinity : ROWS_SHOWN;

  function heading(column, n) {
    const button = element('button', {type: 'button', onclick: () => { sortBy(n); }}, column.title);
    return element('th', {scope: 'col', class: column.number ? 'number' : null},
      options.fixed ? column.title : button, column.unit ? element('small', {}, ' ', column.unit) : null);
  }

  function sortBy(n) {
    state.down = state.sort === n ? !state.down : Boolean(options.columns[n].number);
    state.sort = n;
    tell();
  }

  function tell() {
    show();
    if (options.changed) options.changed(state);
  }

  function matching() {
    const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
    const rows = words.length === 0 ? options.rows.slice() : options.rows.filter(row => {
      const text = options.columns.map(c => c.number ? '' : textOf(c, row)).join(' ').toLowerCase();
      return words.every(word => text.includes(word));
    });
    const column = options.columns[state.sort];
    return column ? rows.sort((a, b) => order(column.value(a), column.value(b)) * (state.down ? -1 : 1)) : rows;
  }

  /* Unknown values are last in either order. */
  function order(a, b) {
    const known = x => x !== null && x !== undefined && !Number.isNaN(x);
    if (!known(a) || !known(b)) return (known(a) - known(b)) * (state.down ? 1 : -1);
    return typeof a === 'string' ? a.localeCompare(b, 'en') : a - b;
  }

  function show() {
    const rows = matching();
    body.replaceChildren(...rows.slice(0, limit).map(tableRow));
    heads.forEach((head, n) => {
      if (n === state.sort) head.setAttribute('aria-sort', state.down ? 'descending' : 'ascending');
      else head.removeAttribute('aria-sort');
    });
    more.hidden = rows.length <= limit;
    count.textContent = whole.format(Math.min(limit, rows.length)) + ' of ' + whole.format(options.rows.length) +
      (options.rows.length === 1 ? ' row' : ' rows');
  }

  function tableRow(row) {
    if (row.gap) return element('tr', {class: 'gap'}, element('td', {colspan: options.columns.length}, row.gap));
    const inOrder = !options.columns[state.sort] && state.query === '';
    return element('tr', options.mark?.(row), options.columns.map((column, n) => {
      const content = column.cell ? column.cell(row, inOrder) : textOf(column, row);
      const attributes = {class: classOf(column)};
      if (n === options.head) return element('th', Object.assign({scope: 'row'}, attributes), content);
      return element('td', attributes, content);
    }));
  }

  show();
  const area = element('div', {class: options.free ? 'scroll free' : 'scroll', tabindex: 0, role: 'region',
    'aria-label': options.caption},
    element('table', {}, element('caption', {}, options.caption), element('thead', {}, element('tr', {}, heads)),
      body));
  return element('div', {class: 'table'}, options.search ? searchField() : null,
    options.search || options.rows.length > ROWS_SHOWN ? count : null, area, more);

  function searchField() {
    const input = element('input', {type: 'search', value: state.query, spellcheck: 'false', autocomplete: 'off',
      oninput: () => { state.query = input.value; tell(); }});
    return element('label', {class: 'search'}, options.search, ' ', input);
  }
}

function classOf(column) {
  const classes = [column.number ? 'number' : column.code ? 'code' : column.wrap ? 'wrap' : '',
    ...['source', 'clip', 'wide', 'place'].filter(name => column[name])];
  return classes.join(' ').trim() || null;
}

function textOf(column, row) {
  return column.text ? column.text(row) : String(column.value(row) ?? '');
}

/* Columns of numbers. */
function numberColumn(title, value, unit) {
  return {title, value, text: row => formatNumber(value(row)), number: true, unit};
}

function shareColumn(title, value, digits) {
  return {title, value, text: row => formatShare(value(row), digits), number: true};
}

function errorColumn(title, value) {
  return {title, value, text: row => formatError(value(row)), number: true};
}

function textColumn(title, value) {
  return {title, value};
}

/* A column of shares, blank in rows of few samples. */
function shareOfMany(title, value, isFewRow, digits) {
  return {title, value, text: row => isFewRow(row) ? '' : formatShare(value(row), digits), number: true};
}

/* A text of few samples. */
function greyed(text) {
  return element('span', {class: 'few', title: 'fewer than ' + FEW_SAMPLES + ' samples'}, text);
}

/* The columns of an event: estimate, share, and with an exact answer that and the error. */
function eventColumns(c, valuesOfRow, names) {
  const column = data.columns[c];
  const of = (row, key) => valuesOfRow(row).get(c)?.[key];
  const name = names ? columnName(c) : column.event;
  const estimate = row => of(row, 'estimate') ?? 0;
  const few = row => isFew(c, estimate(row));
  const columns = [
    Object.assign(numberColumn(name, estimate), {cell: row => few(row) ? greyed(formatNumber(estimate(row))) :
      formatNumber(estimate(row))}),
    shareOfMany('%', row => estimate(row) / column.estimate, few),
  ];
  if (!hasExact(c)) return columns;
  return columns.concat([
    numberColumn('exact', row => of(row, 'exact') ?? 0),
    {title: 'error %', number: true, value: row => errorOf(estimate(row), of(row, 'exact')),
      text: row => few(row) ? '' : formatError(errorOf(estimate(row), of(row, 'exact')))},
  ]);
}

/* Whether values of a column have exact answers. */
function hasExact(c) {
  return data.procedures.some(p => isKnown(valuesOf(p.v).get(c)?.exact));
}
