/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of one function: its cycle stack, callers and callees, events, and code. */

function procedure(rest, parameters) {
  const n = data.procedures.findIndex(q => procedureAddress(q) === '#/procedure/' + rest.join('/'));
  if (n < 0) return missing();
  const p = data.procedures[n], chosen = chosenColumns(parameters), image = data.images[p.image];
  return [element('h1', {class: 'code'}, p.procedure), procedureSentence(p),
    facts([['full name', p.full || null], ['image', imageName(p.image)], ['build ID', image ? image.build_id : null],
      ['address', p.size > 0 ? '0x' + p.start : null], ['size', p.size > 0 ? whole.format(p.size) + ' bytes' : null]]),
    stacksOfProcedure(p), callsOf(p.size > 0 || p.image < 0 ? p.procedure : imageName(p.image)),
    section('Code', columnChooser(chosen, parameters), codeView(n, chosen, parameters),
      gainNote('a line')),
    section('Events', element('details', {open: p.v.length <= 6 * 3},
      element('summary', {}, 'All events of the procedure'), procedureEvents(p)))];
}

/* Its share, and the change. */
function procedureSentence(p) {
  if (data.columns.length === 0) return null;
  const value = truth(valuesOf(p.v).get(0)), difference = comparedProcedure(p);
  return element('p', {class: 'sentence'}, percent(value / truthOfColumn(0)) + ' of the ' + columnName(0) + ' (' +
    authority(0) + ').', difference ? ' ' + formatDifference(difference) + ' ' + data.comparison.unit +
    ' per run since ' + data.comparison.before + (difference.isSignificant ? '.' : ', which is not significant.') :
      null, procedureGain(p));
}

/* The largest gain of its instructions. */
function procedureGain(p) {
  const [first, ...words] = gainWords(gainOfProcedure(p)) ?? [];
  return first ? [' W' + first.slice(1), words, '.'] : null;
}

function procedureEvents(p) {
  const rows = [...valuesOf(p.v)].map(([c, value]) => Object.assign({c, column: data.columns[c]}, value));
  return table({caption: 'Events of ' + p.procedure, rows, head: 0, columns: [
    textColumn('event', r => r.column.event), Object.assign(textColumn('profiler', r => r.column.by), {code: true}),
    Object.assign(numberColumn('estimate', r => r.estimate), {cell: r => isFew(r.c, r.estimate) ?
      greyed(formatNumber(r.estimate)) : formatNumber(r.estimate)}),
    shareOfMany('%', r => r.estimate / r.column.estimate, r => isFew(r.c, r.estimate)),
    numberColumn('exact', r => r.exact), {title: 'error %', number: true, value: r => errorOf(r.estimate, r.exact),
      text: r => isFew(r.c, r.estimate) ? '' : formatError(errorOf(r.estimate, r.exact))}]});
}

function stacksOfProcedure(p) {
  const bars = [{title: 'categories', parts: stackOf(p.s)}, {title: 'signatures', parts: stackOf(p.p)}]
    .filter(bar => bar.parts.length > 0);
  if (bars.length === 0) return null;
  return section('Cycle stacks', slotsNote(), bars.map(bar => [stackPicture([bar], 'cycles'),
    element('details', {}, element('summary', {}, 'Table of ' + bar.title),
      stackTable([Object.assign({}, bar, {title: 'cycles'})], 'Cycles by ' + bar.title))]));
}

/* ---- callers and callees ---- */

/* The calls that the page knows: of each event with call stacks, else of each with edges. */
function callSources() {
  if (data.flames.length > 0) return data.flames.map((flame, n) => ({flame: n, event: flame.event, by: flame.by,
    unit: flame.unit}));
  return data.calls.map((calls, n) => ({calls: n, event: calls.event, by: calls.by, unit: calls.unit}));
}

/* The callers or callees of a function: [{name, value}], and what the function has itself. */
function neighboursOf(name, source) {
  if (source.flame !== undefined) return stackNeighbours(flameArrays(source.flame), name);
  const {names, from, to, value} = data.calls[source.calls], number = names.indexOf(name);
  const pick = (own, other) => own.map((n, k) => n === number ? {name: names[other[k]], value: value[k]} : null)
    .filter(Boolean);
  return {callers: pick(to, from), callees: pick(from, to), total: null};
}

function callsOf(name) {
  const [first, ...others] = callSources();
  const tables = source => neighbourTables(name, source, neighboursOf(name, source));
  if (!first) return null;
  return section('Callers and callees', tables(first), others.length === 0 ? null : element('details', {
    ontoggle: event => {
      if (event.target.children.length === 1) fill(event.target, {}, others.map(tables));
    }}, element('summary', {}, 'By other events')));
}

function neighbourTables(name, source, found) {
  if (found.callers.length + found.callees.length === 0) {
    return element('p', {class: 'note'}, source.event + ': no call of the function, or from it, has a value.');
  }
  return [
    element('h3', {}, source.event + (found.total === null ? ' (calls)' : '')), found.total === null ? null :
      element('p', {class: 'note'}, 'With callees: ' + formatNumber(found.total) + ' ' + source.unit + '; own: ' +
      formatNumber(found.own) + '. ', element('a', {href: sandwichAddress(source.flame, name)},
        'Flame graph of callers and callees')),
    element('div', {class: 'pair'}, callTable('Callers of ' + name + ', ' + source.event, 'caller', found.callers,
      source),
      callTable('Callees of ' + name + ', ' + source.event, 'callee', found.callees, source))];
}

function callTable(caption, title, rows, source) {
  const all = sum(rows.map(row => row.value));
  const link = row => procedureNamed(row.name) ? procedureLink(procedureNamed(row.name), {}) : row.name;
  return table({caption, rows, head: 0, state: {sort: 1, down: true}, columns: [
    {title, value: row => row.name, code: true, cell: link},
    numberColumn(source.event, row => row.value, source.unit),
    shareOfMany('%', row => row.value / all, row => isFew(columnOf(source), row.value), 1)]});
}
