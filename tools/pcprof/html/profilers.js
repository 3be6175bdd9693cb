/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of the profilers: their errors beside the truth. */

function profilers() {
  const families = ['time', 'pics'];
  const rows = data.runs.filter(run => run.detail).flatMap(run => families.flatMap(family =>
    (run.detail[family]?.profilers || []).map(p => Object.assign({run: run.run, family}, p))));
  const counted = runsWith('counts').flatMap(run => run.detail.counts.map(p => Object.assign({run: run.run}, p)));
  const counters = runsWith('counters').flatMap(run => run.detail.counters.map(p => Object.assign({run: run.run}, p)));
  return [element('h1', {}, 'Profilers'),
    rows.length > 0 ? section('Time', errorBars(rows), table({caption: 'Errors of the profilers of time', rows, head: 1,
      columns: [numberColumn('run', r => r.run), Object.assign(textColumn('profiler', r => r.profiler), {code: true}),
        numberColumn('samples', r => r.exact ? NaN : r.samples), numberColumn('lost', r => r.exact ? NaN : r.lost),
        ...['instruction', 'block', 'function'].map(level => shareColumn(level + ' error %', r => r.error?.[level]))]}),
    element('p', {class: 'note'},
      'Error: share of the time attributed to wrong instructions, basic blocks or functions; ' +
      'of tea, to wrong pairs of these and a signature.')) : null, sharesBeside(),
    counted.length > 0 ? section('Counts by instruction', table({caption: 'Profilers of counts', rows: counted, head: 1,
      columns: [numberColumn('run', r => r.run), Object.assign(textColumn('profiler', r => r.profiler), {code: true}),
        numberColumn('samples', r => r.exact ? NaN : r.samples), numberColumn('lost', r => r.exact ? NaN : r.lost),
        numberColumn('interrupts', r => r.exact ? NaN : r.interrupts),
        shareColumn('retired within 1 \u00b1 1/\u221ak %', r => r.within?.retired)]})) : null,
    counters.length > 0 ? section('Event counters', table({caption: 'Event counters', rows: counters, head: 1,
      columns: [
      numberColumn('run', r => r.run), Object.assign(textColumn('counter', r => r.profiler), {code: true}),
      textColumn('event', r => r.event), numberColumn('samples', r => r.samples), numberColumn('lost', r => r.lost),
      numberColumn('estimate', r => r.estimate), numberColumn('exact', r => r.total),
      errorColumn('error %', r => errorOf(r.estimate, r.total))]})) : null,
    rows.length + counted.length + counters.length === 0 ? element('p', {}, 'The runs have no profilers.') : null];
}

/* The time of each profiler, of which the truth is 100 %: what is at the right instruction, and what is not. */
function errorBars(rows) {
  const known = rows.filter(r => r.error).slice(0, 40);
  return known.length === 0 ? null : element('figure', {class: 'stacks'}, known.map(r => element('div', {class: 'bar'},
    element('span', {class: 'bar-title'}, r.profiler + (data.runs.length > 1 ? ', run ' + r.run : '') + ': ' +
      formatShare(r.error.instruction, 1) + ' % at wrong instructions'),
    svg('svg', {viewBox: '0 0 100 16', preserveAspectRatio: 'none', class: 'thin', role: 'img',
      'aria-label': r.profiler + ': error by instruction ' + formatShare(r.error.instruction, 1) + ' %'},
    stackRects([{name: 'right', value: 1 - r.error.instruction}, {name: 'wrong', value: r.error.instruction}], 100, 16,
      part => part.name + ' ' + formatShare(part.value, 1) + ' %')))), element('div', {class: 'scale',
        'aria-hidden': 'true'},
    ['0 %', '25 %', '50 %', '75 %', '100 % of the time'].map(text => element('span', {}, text))),
  legendOf(['right', 'wrong']));
}

/* The functions with the most time: the exact share, and beside it that of each profiler. */
function sharesBeside() {
  const columns = data.columns.map((_, c) => c).filter(c => data.columns[c].event === data.columns[0]?.event &&
    data.columns[c].source !== 'exact' && isKnown(data.columns[c].exact));
  if (columns.length === 0) return null;
  const rows = data.procedures.map(p => ({p, values: valuesOf(p.v)}))
    .sort((a, b) => truth(b.values.get(columns[0])) - truth(a.values.get(columns[0]))).slice(0, 20);
  return section('Shares of the functions', table({caption: 'Shares by profiler', rows, head: 0, columns: [
    {title: 'function', value: row => row.p.procedure, code: true, cell: row => procedureLink(row.p, {})},
    shareColumn('exact %', row => truth(row.values.get(columns[0])) / truthOfColumn(columns[0])),
    ...columns.map(c => shareOfMany(data.columns[c].by + ' %', row => (row.values.get(c)?.estimate ?? 0) /
      data.columns[c].estimate, row => isFew(c, row.values.get(c)?.estimate ?? 0)))]}),
  element('p', {class: 'note'}, 'Blank: fewer than ' + FEW_SAMPLES + ' samples.'));
}
