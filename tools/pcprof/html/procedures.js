/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of functions and of source lines, and the choice of their events. */

function section(title, ...content) {
  return element('section', {}, element('h2', {}, title), content);
}

function facts(pairs) {
  return element('dl', {}, pairs.filter(pair => pair[1] !== null && pair[1] !== undefined && pair[1] !== '')
    .map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))));
}

function procedureTable(rows, chosen, more) {
  const values = new Map(rows.map(p => [p, valuesOf(p.v)]));
  return table(Object.assign({caption: 'Procedures', rows, head: 0, columns: [
    {title: 'procedure', value: p => p.procedure, code: true, cell: p => procedureLink(p, {})},
    ...chosen.flatMap(c => eventColumns(c, p => values.get(p), chosen.length > 1)), ...gainColumns(gainOfProcedure),
    ...differenceColumns(comparedProcedure), textColumn('image', p => imageName(p.image))]}, more));
}

function procedures(rest, parameters) {
  const chosen = chosenColumns(parameters);
  return [element('h1', {}, 'Procedures'), columnChooser(chosen, parameters),
    procedureTable(data.procedures, chosen, searched('Search procedures', parameters, 1)), gainNote('a procedure'),
    comparisonNote(),
    goneProcedures()];
}

/* All source lines with values. */
function linesView(rest, parameters) {
  const chosen = chosenColumns(parameters), rows = linesWith(chosen.length > 0 ? chosen : [0]);
  return [element('h1', {}, 'Source lines'), columnChooser(chosen, parameters),
    table(Object.assign({caption: 'Source lines', rows, head: 0, columns: [
      {title: 'line', value: row => lineName(row.file, row.line), code: true, place: true, cell: lineLink},
      ...chosen.flatMap(c => eventColumns(c, row => row.values, chosen.length > 1)), ...gainColumns(gainOfLine),
      ...differenceColumns(comparedLine),
      {title: 'source', value: row => sourceText(row.file, row.line)?.trim() ?? '', code: true, source: true},
      {title: 'function', value: row => data.procedures[row.procedure].procedure, code: true, clip: true}]},
    searched('Search lines', parameters, 1))), gainNote('a line'), comparisonNote(), goneLines()];
}

function hasLines() {
  return data.files.length > 0;
}

/* The options of a table whose state is in the address. */
function searched(label, parameters, first) {
  const sort = parameters.get('sort');
  return {search: label, state: {query: parameters.get('q') || '', down: !(sort || '-').startsWith('+'),
    sort: sort === null ? first : Number(sort.slice(1))},
  changed: state => {
    parameters.set('q', state.query);
    parameters.set('sort', (state.down ? '-' : '+') + state.sort);
    replaceParameters(parameters);
  }};
}

function chosenColumns(parameters) {
  const text = parameters.get('events');
  const chosen = text === null ? [0] : text.split('.').map(Number);
  return chosen.filter(c => Number.isInteger(c) && c >= 0 && c < data.columns.length);
}

function columnChooser(chosen, parameters) {
  const choose = (c, on) => {
    const next = data.columns.map((_, n) => n).filter(n => n === c ? on : chosen.includes(n));
    parameters.set('events', next.join('.'));
    parameters.delete('sort');
    replaceParameters(parameters);
    show('chooser-' + c);
  };
  return element('details', {class: 'chooser', open: parameters.get('events') !== null},
    element('summary', {}, 'Events shown: ' + (chosen.map(columnName).join(', ') || 'none')),
    element('div', {class: 'choices'}, data.columns.map((column, c) => element('label', {},
      element('input', {type: 'checkbox', id: 'chooser-' + c, checked: chosen.includes(c),
        onchange: event => { choose(c, event.target.checked); }}), ' ', columnName(c)))));
}
