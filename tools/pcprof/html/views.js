/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The views: each returns the elements of its page for the rest of the address and its parameters. */

function section(title, ...content) {
  return element('section', {}, element('h2', {}, title), content);
}

function facts(pairs) {
  return element('dl', {}, pairs.filter(pair => pair[1] !== null && pair[1] !== undefined && pair[1] !== '')
    .map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))));
}

/* ---- overview ---- */

function overview() {
  return [element('h1', {}, 'Profile of ' + data.store + (data.epoch ? ':' + data.epoch : '')),
    facts([['runs', whole.format(data.runs.length)], ['partial runs', partialRuns()],
      ['cycles', whole.format(totals.cycles)], ['instructions', whole.format(totals.instructions)],
      ['instructions per cycle', small.format(totals.instructions / totals.cycles)],
      ['procedures', whole.format(data.procedures.length)]]),
    section('Events', eventTable(), element('p', {class: 'note'},
      'Exact: ground truth from the simulator. Misplaced: ' +
      'share of the estimate at another procedure, or instruction, than the exact one.')),
    section('Procedures with the most ' + (data.columns.length > 0 ? columnName(0) : 'samples'),
      procedureTable(data.procedures.slice(0, 10), [0]), element('p', {}, element('a', {href: '#/procedures'},
        'All procedures'))),
    section('Runs', runTable())];
}

function partialRuns() {
  const partial = data.runs.filter(run => run.partial).length;
  return partial > 0 ? whole.format(partial) : null;
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

/* ---- procedures ---- */

function procedureTable(rows, chosen, more) {
  const values = new Map(rows.map(p => [p, valuesOf(p.v)]));
  return table(Object.assign({caption: 'Procedures', rows, head: 0, columns: [
    {title: 'procedure', value: p => p.procedure, code: true,
      cell: p => element('a', {href: procedureAddress(p), title: p.full || p.procedure}, p.procedure)},
    ...chosen.filter(c => c < data.columns.length).flatMap(c => eventColumns(c, p => values.get(p), chosen.length > 1)),
    textColumn('image', p => imageName(p.image))]}, more));
}

function procedures(rest, parameters) {
  const chosen = chosenColumns(parameters);
  return [element('h1', {}, 'Procedures'), columnChooser(chosen, parameters),
    procedureTable(data.procedures, chosen, searched('Search procedures', parameters, 1))];
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

/* ---- one procedure ---- */

function procedure(rest, parameters) {
  const p = data.procedures.find(q => procedureAddress(q) === '#/procedure/' + rest.join('/'));
  if (!p) return missing();
  const chosen = chosenColumns(parameters);
  const image = data.images[p.image];
  return [element('h1', {class: 'code'}, p.procedure),
    facts([['full name', p.full || null], ['image', imageName(p.image)], ['build ID', image ? image.build_id : null],
      ['address', p.size > 0 ? '0x' + p.start : null], ['size', p.size > 0 ? whole.format(p.size) + ' bytes' : null]]),
    stacksOfProcedure(p), section('Events', element('details', {open: p.v.length <= 6 * 3},
      element('summary', {}, 'All events of the procedure'), procedureEvents(p))),
    section('Instructions', columnChooser(chosen, parameters), instructionTable(p, chosen, parameters))];
}

function procedureEvents(p) {
  const rows = [...valuesOf(p.v)].map(([c, value]) => Object.assign({c, column: data.columns[c]}, value));
  return table({caption: 'Events of ' + p.procedure, rows, head: 0, columns: [
    textColumn('event', r => r.column.event), Object.assign(textColumn('profiler', r => r.column.by), {code: true}),
    numberColumn('estimate', r => r.estimate), shareColumn('%', r => r.estimate / r.column.estimate),
    numberColumn('exact', r => r.exact), errorColumn('error %', r => errorOf(r.estimate, r.exact))]});
}

function stacksOfProcedure(p) {
  const bars = [{title: 'categories', parts: stackOf(p.s)}, {title: 'signatures', parts: stackOf(p.p)}]
    .filter(bar => bar.parts.length > 0);
  if (bars.length === 0) return null;
  return section('Cycle stacks', bars.map(bar => [stackPicture([bar], 'cycles'),
    element('details', {}, element('summary', {}, 'Table of ' + bar.title),
      stackTable([Object.assign({}, bar, {title: 'cycles'})], 'Cycles by ' + bar.title))]));
}

/* Rows of the code; between them the numbers of instructions that are left out. */
function codeRows(p) {
  return p.code.map(entry => {
    if (typeof entry === 'number') {
      return {gap: whole.format(entry) + (entry === 1 ? ' instruction' : ' instructions') + ' without values'};
    }
    const [address, text, file, line, v, s, signatures] = entry;
    return {address, text, line: lineName(file, line), values: valuesOf(v), stack: stackOf(s?.length ? s : signatures)};
  });
}

function instructionTable(p, chosen, parameters) {
  const all = codeRows(p);
  const rows = parameters.get('all') === '0' ? all.filter(row => row.values?.size > 0) : all;
  const names = new Map();
  for (const row of rows) for (const part of row.stack || []) names.set(part.name,
    (names.get(part.name) || 0) + part.value);
  const colour = palette([...names.keys()].sort((a, b) => names.get(b) - names.get(a)));
  const largest = Math.max(...rows.map(row => sum((row.stack || []).map(part => part.value))), 1e-9);
  const only = element('input', {type: 'checkbox', checked: parameters.get('all') === '0', id: 'only',
    onchange: event => {
    parameters.set('all', event.target.checked ? '0' : '1');
    replaceParameters(parameters);
    show('only');
  }});
  const isHot = row => row.values && row.values.get(chosen[0])?.estimate > 0;
  const columns = [
    {title: 'address', value: row => row.gap ? null : parseInt(row.address, 16), text: row => row.address, code: true},
    ...chosen.flatMap(c => eventColumns(c, row => row.values || new Map(), chosen.length > 1)).map(blankWithoutValues),
    {title: 'instruction', value: row => row.text, code: true,
      cell: row => isHot(row) ? element('strong', {}, row.text) : row.text},
    textColumn('line', row => row.line)];
  if (names.size > 0) {
    columns.splice(columns.length - 2, 0, {title: 'cycle stack',
      value: row => sum((row.stack || []).map(part => part.value)),
      cell: row => row.stack?.length ? miniStack(row.stack, largest, colour) : ''});
  }
  return [element('label', {}, only, ' only instructions with values'),
    table(Object.assign({caption: 'Instructions of ' + p.procedure, rows, columns}, searched('Search instructions',
      parameters, -1)))];
}

/* Instructions without any value have empty cells. */
function blankWithoutValues(column) {
  return Object.assign({}, column, {text: row => row.values?.size > 0 ? column.text(row) : '',
    value: row => row.values?.size > 0 ? column.value(row) : null});
}

/* ---- pictures ---- */

function flames(rest, parameters) {
  const n = Number(rest[0] || 0), flame = data.flames[n];
  if (!flame) return missing();
  const state = {query: parameters.get('q') || '', zoom: Number(parameters.get('zoom') ?? -1)};
  return [element('h1', {}, 'Flame graph: ' + flame.event), data.flames.length > 1 ? element('p', {class: 'tools'},
    data.flames.map((f, k) => element('a', {href: '#/flame/' + k, 'aria-current': k === n ? 'page' : null},
      f.event + ' (' + f.by + ') '))) : null,
  element('p', {class: 'note'}, 'By ' + flame.by + ', in ' + flame.unit + '. A box is above that of its caller.'),
  flameGraph(flame, state, changed => {
    parameters.set('q', changed.query);
    parameters.set('zoom', changed.zoom);
    replaceParameters(parameters);
  })];
}

/* The cycles of a run's profilers by category, and by signature. */
function barsOf(run) {
  const {time, pics} = run.detail;
  const cycles = (family, units) => units / family.per_cycle;
  const categories = (time?.profilers || []).filter(p => p.categories).map(p => ({title: p.profiler,
    parts: Object.entries(p.categories).map(([name, units]) => ({name, value: cycles(time, units)}))}));
  const signatures = (pics?.profilers || []).map(p => ({title: p.profiler,
    parts: pics.signatures.filter(s => s.time[p.profiler] > 0)
      .map(s => ({name: s.signature, value: cycles(pics, s.time[p.profiler])}))}));
  return {categories, signatures};
}

function stacksOfRun(run) {
  const {categories, signatures} = barsOf(run);
  return [[categories, 'category'], [signatures, 'event signature']].filter(([bars]) => bars.length > 0)
    .map(([bars, by]) => section('Cycles by ' + by + ', run ' + run.run, stackPicture(bars, 'cycles'),
      stackTable(bars, 'Cycles by ' + by + ', run ' + run.run)));
}

function stacks() {
  return [element('h1', {}, 'Cycle stacks'), element('p', {class: 'note'},
    'The cycles of each profiler by what the core ' +
    'waited for (category), and by the events of the instructions (signature).'),
  data.runs.filter(hasStacks).map(stacksOfRun)];
}

function hasStacks(run) {
  if (!run.detail) return false;
  const {categories, signatures} = barsOf(run);
  return categories.length + signatures.length > 0;
}

/* ---- profilers ---- */

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
      'of tea, to wrong pairs of these and a signature.')) : null,
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

/* The errors by instruction as bars, of profilers that have one. */
function errorBars(rows) {
  const known = rows.filter(r => r.error).slice(0, 40);
  const largest = Math.max(...known.map(r => r.error.instruction), 1e-9);
  return known.length === 0 ? null : element('figure', {class: 'stacks'}, known.map(r => element('div', {class: 'bar'},
    element('span', {class: 'bar-title'}, r.profiler + (data.runs.length > 1 ? ', run ' + r.run : '') + ': ' +
      formatShare(r.error.instruction, 1) + ' %'),
    svg('svg', {viewBox: '0 0 ' + WIDTH + ' 16', preserveAspectRatio: 'none', class: 'thin', role: 'img',
      'aria-label': r.profiler + ': error by instruction ' + formatShare(r.error.instruction, 1) + ' %'},
    svg('rect', {width: r.error.instruction / largest * WIDTH, height: 16, class: 'fill-0'})))));
}

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
      {name: 'processed', values: intervals.map(i => i.delivered - i.dropped), colour: 'fill-0'},
      {name: 'dropped', values: intervals.map(i => i.dropped), colour: 'fill-5'}],
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
    values: rows.map(r => (r.rms_error ?? 0) * 100),
    colour: 'fill-0'}], rows.map(r => 'cycle ' + whole.format(r.cycle)), '%'),
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
      columns: [Object.assign(textColumn('', label => label), {wrap: true}),
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

/* ---- one run ---- */

function oneRun(rest) {
  const run = data.runs.find(r => String(r.run) === rest[0]);
  if (!run) return missing();
  return [element('h1', {}, 'Run ' + run.run), facts([['epoch', run.epoch], ['ended', run.time + ' UTC'],
    ['guest', run.guest], ['configuration', run.configuration], ['harts', run.harts && String(run.harts)],
    ['program', run.program], ['seed', String(run.seed)],
    ['cycles', whole.format(run.cycles)], ['instructions', whole.format(run.instructions)],
    ['partial', run.partial ? 'yes' : null]]),
  section('Command', element('pre', {tabindex: 0}, run.command)),
  run.detail ? stacksOfRun(run) : element('p', {}, 'The page has no details of this run: only of the first ' +
    data.runs.filter(r => r.detail).length + '.')];
}

function missing() {
  return [element('h1', {}, 'Not found'), element('p', {}, 'The page has nothing at this address. ',
    element('a', {href: '#/'}, 'Overview'))];
}
