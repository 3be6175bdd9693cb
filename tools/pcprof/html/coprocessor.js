/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The views of the co-processor and of the cost of profiling. */

/* ---- co-processor ---- */

function coprocessorOf(run) {
  const c = run.detail.coprocessor, title = 'Samples over time, run ' + run.run;
  const cycles = n => whole.format((n + 1) * c.interval_cycles);
  const busy = ['words', 'bubbles', 'waiting', 'halted'].map(name => ({name,
    value: c[name]})).filter(part => part.value > 0);
  const classes = Object.entries(c.classes || {}).map(([name, row]) => Object.assign({name}, row));
  const intervals = c.intervals || [];
  return section('Run ' + run.run + ': ' + c.program,
    facts([['cycles', formatNumber(c.cycles)], ['samples delivered', formatNumber(c.delivered)],
      ['dropped', formatNumber(c.dropped)], ['processed', formatNumber(c.processed)],
      ['samples in the buffer',
        small.format(c.queued_mean) + ' on average, ' + formatNumber(c.queued_peak) + ' at most']]),
    busy.length > 0 ? [stackPicture([{title: 'cycles of the co-processor', parts: busy}], 'cycles')] : null,
    intervals.length > 0 ? [element('h3', {}, title), timePicture(title, [
      {name: 'processed', values: intervals.map(i => i.delivered - i.dropped)},
      {name: 'dropped', values: intervals.map(i => i.dropped)}],
    intervals.map((_, n) => 'cycle ' + cycles(n)), 'samples'), element('details', {}, element('summary', {}, 'Table'),
      table({caption: title, rows: intervals.map((i, n) => Object.assign({n}, i)), head: 0, columns: [
        numberColumn('up to cycle', r => (r.n + 1) * c.interval_cycles), numberColumn('delivered', r => r.delivered),
        numberColumn('dropped', r => r.dropped)]}))] : null,
    classes.length > 0 ? table({caption: 'Samples by opcode class, run ' + run.run, rows: classes, head: 0, columns: [
      textColumn('class', r => r.name), numberColumn('samples', r => r.samples), numberColumn('words', r => r.words),
      Object.assign(numberColumn('each', r => r.words / r.samples), {unit: 'words'}), numberColumn('least',
        r => r.least),
      numberColumn('most', r => r.most)]}) : null,
    run.detail.timeline?.length > 0 ? servicesOf(run) : null);
}

function servicesOf(run) {
  const rows = run.detail.timeline, title = 'Error of the profile after each service of the driver, run ' + run.run;
  return [element('h3', {}, title), timePicture(title, [{name: 'RMS error',
    values: rows.map(r => (r.rms_error ?? 0) * 100)}], rows.map(r => 'cycle ' + whole.format(r.cycle)), '%'),
  table({caption: title, rows, head: 0, columns: [numberColumn('cycle', r => r.cycle),
    numberColumn('interrupts', r => r.interrupts), numberColumn('cycles in handlers', r => r.handler_cycles),
    numberColumn('loads masked', r => r.loads_masked), shareColumn('RMS error %', r => r.rms_error)]})];
}

function coprocessor() {
  return [element('h1', {}, 'Co-processor'), runsWith('coprocessor').map(coprocessorOf)];
}

/* ---- cost ---- */

function cost() {
  const runs = data.runs.filter(run => run.detail && run.detail.cost.length > 0);
  const labels = [...new Set(runs.flatMap(run => run.detail.cost.map(row => row.label)))];
  const of = (run, label) => run.detail.cost.find(row => row.label === label);
  const harts = runsWith('collection').flatMap(run => run.detail.collection.map(h => Object.assign({run: run.run}, h)));
  const counters = runsWith('counters').flatMap(run => run.detail.counters.filter(c => c.cost > 0)
    .map(c => Object.assign({run: run.run}, c)));
  return [element('h1', {}, 'Cost of profiling'),
    runs.length > 0 ? section('Co-processor and its driver', table({caption: 'Cost by run', rows: labels, head: 0,
      fixed: true,
      columns: [Object.assign(textColumn('cost', label => label), {wrap: true}),
        ...runs.map(run => ({title: 'run ' + run.run, number: true,
        value: label => of(run, label)?.value ?? null,
        text: label => of(run, label) ? formatValue(of(run, label).value, of(run, label).unit) : '-'}))]})) : null,
    harts.length > 0 ? section('Collection of counter samples', table({caption: 'Collection by hart', rows: harts,
      head: 0,
      columns: [numberColumn('run', r => r.run), numberColumn('hart', r => r.hart), numberColumn('samples',
        r => r.samples),
        shareColumn('misses %', r => r.miss_rate, 1), numberColumn('evicted', r => r.evicted), numberColumn('lost',
          r => r.lost),
        numberColumn('entries', r => r.entries), numberColumn('samples per entry', r => r.aggregation),
        numberColumn('handler', r => r.handler_cycles, 'cycles'), numberColumn('daemon', r => r.daemon_cycles,
          'cycles'),
        shareColumn('time %', r => r.share)]})) : null,
    counters.length > 0 ? section('Interrupts of event counters', table({caption: 'Counters', rows: counters, head: 1,
      columns: [
      numberColumn('run', r => r.run), Object.assign(textColumn('counter', r => r.profiler), {code: true}),
      numberColumn('samples', r => r.samples), numberColumn('delay', r => r.delay, 'cycles'),
      numberColumn('handler', r => r.cost, 'cycles')]})) : null,
    runs.length + harts.length + counters.length === 0 ? element('p', {}, 'Profiling has cost no cycles.') : null];
}
