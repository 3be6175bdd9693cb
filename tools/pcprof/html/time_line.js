/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of a run over time: "#/time?run=RUN&interval=NUMBER". Lanes of one scale of cycles: categories of each hart,
 * the hottest function, instructions per cycle, handlers, samples of the co-processor, services of its driver. A click
 * on a lane, or the slider, chooses an interval, whose functions are below. */

function timeLine(rest, parameters) {
  const runs = runsWith('phases').filter(run => run.detail.phases.intervals.length > 0);
  const run = runs.find(r => String(r.run) === parameters.get('run')) ?? runs[0];
  const intervals = run.detail.phases.intervals;
  const end = Math.max(...intervals.map(i => i.from + i.cycles));
  const at = chosenInterval(intervals, parameters.get('interval'));
  const choose = n => {
    parameters.set('interval', n);
    replaceParameters(parameters);
    show('interval');
  };
  const lanes = lanesOf(run);
  return [element('h1', {}, 'Time line'), choice('Run', runs.map(r => ['#/time?run=' + r.run, 'run ' + r.run + ': ' +
    r.guest, r === run])),
  element('p', {class: 'note'}, 'Exact, by phases: ' + whole.format(intervals.length) + ' intervals of ' +
    whole.format(intervals[0].cycles) + ' cycles. A click on a lane chooses one.'),
  element('figure', {class: 'lanes'}, lanes.map(lane => laneOf(lane, end, intervals[at],
    cycle => { choose(intervalAt(intervals, intervals[at].hart ?? 0, cycle)); })), cycleScale(end),
  legendOf([...new Set(lanes.flatMap(lane => lane.columns.flatMap(c => c.parts.map(part => part.name))))]
    .filter(name => COLOUR_OF.get(name) !== 'number'))),
  intervalSlider(intervals, at, choose), intervalSection(run, at)];
}

function hasTimeLine() {
  return runsWith('phases').some(run => run.detail.phases.intervals.length > 0);
}

/* The interval that the address names, else the first one. */
function chosenInterval(intervals, text) {
  const n = Number(text);
  return text !== null && Number.isInteger(n) && n >= 0 && n < intervals.length ? n : 0;
}

function intervalAt(intervals, hart, cycle) {
  const found = intervals.findIndex(i => (i.hart ?? 0) === hart && cycle >= i.from && cycle < i.from + i.cycles);
  return Math.max(found, 0);
}

/* ---- lanes ---- */

/* The lanes of a run: {title, unit, columns: [{from, cycles, label, parts}]}; with `text`, columns have names. */
function lanesOf(run) {
  const {intervals, functions} = run.detail.phases, c = run.detail.coprocessor;
  const harts = [...new Set(intervals.map(i => i.hart ?? 0))];
  const ofHart = (h, make) => intervals.filter(i => (i.hart ?? 0) === h).map(make);
  const name = h => harts.length > 1 ? ', hart ' + h : '';
  return [
    ...harts.map(h => ({title: 'Cycles by category' + name(h), unit: 'cycles', isFull: true,
      columns: ofHart(h, i => ({from: i.from, cycles: i.cycles, parts: categoryParts(i)}))})),
    ...harts.map(h => ({title: 'Function with the most cycles' + name(h), columns: segmentsOf(intervals, functions, h),
      text: true, unit: 'cycles'})),
    ...harts.map(h => ({title: 'Instructions per cycle' + name(h), unit: 'per cycle', columns: ofHart(h, i => ({
      from: i.from, cycles: i.cycles, parts: [{name: 'retired', value: i.retired / i.cycles}]}))})),
    ...harts.map(h => ({title: 'Handlers that begin' + name(h), unit: 'handlers', columns: ofHart(h, i => ({
      from: i.from, cycles: i.cycles, parts: [{name: 'handler', value: i.handlers}]}))})),
    c && {title: 'Samples of the co-processor', unit: 'samples', columns: (c.intervals || []).map((i, n) => ({
      from: n * c.interval_cycles, cycles: c.interval_cycles, parts: [
        {name: 'processed', value: i.delivered - i.dropped}, {name: 'dropped', value: i.dropped}]}))},
    run.detail.timeline?.length > 1 && {title: 'Loads masked by the driver', unit: 'loads',
      columns: run.detail.timeline.map((s, n, all) => ({from: n > 0 ? all[n - 1].cycle : 0,
        cycles: s.cycle - (n > 0 ? all[n - 1].cycle : 0), parts: [{name: 'masked', value: s.loads_masked}]}))},
  ].filter(lane => lane && lane.columns.some(column => column.text || sum(column.parts.map(p => p.value)) > 0));
}

/* Times of reports are in units of 1/840 cycle. */
const TIME_PER_CYCLE = 840;

function categoryParts(interval) {
  return Object.entries(interval.categories).map(([name, time]) => ({
    name: name === 'idle or handler' ? 'handler' : name, value: time / TIME_PER_CYCLE})).filter(part => part.value > 0);
}

/* Consecutive intervals whose hottest function is the same: a phase of the program. */
function segmentsOf(intervals, functions, hart) {
  const hottest = new Map(), segments = [];
  for (const f of functions) if (!hottest.has(f.interval)) hottest.set(f.interval, f.function ?? '(unknown)');
  intervals.forEach((i, n) => {
    if ((i.hart ?? 0) !== hart) return;
    const last = segments.at(-1), text = hottest.get(n) ?? '(unknown)';
    if (last?.text === text) last.cycles += i.cycles;
    else segments.push({from: i.from, cycles: i.cycles, text, parts: []});
  });
  return segments;
}

function laneOf(lane, end, chosen, choose) {
  const height = lane.text ? 22 : 56, x = cycle => cycle / end * WIDTH;
  const sums = lane.columns.map(c => sum(c.parts.map(part => part.value))), largest = Math.max(...sums, 1e-9);
  const draw = (column, n) => lane.text ? [svg('rect', {class: 'segment', x: x(column.from), width: x(column.cycles),
    height}, svg('title', {}, column.text + ': ' + cycleRange(column)))] :
    columnRects(column, lane.isFull ? sums[n] : largest, x, height, lane.unit);
  const click = event => {
    const box = event.currentTarget.getBoundingClientRect();
    choose((event.clientX - box.left) / box.width * end);
  };
  return element('div', {class: 'lane'}, element('span', {class: 'bar-title'}, lane.title, lane.text || lane.isFull ?
    null : ', at most ' + formatNumber(largest) + ' ' + lane.unit),
  element('div', {class: 'lane-picture', onclick: click}, svg('svg', {viewBox: '0 0 ' + WIDTH + ' ' + height,
    preserveAspectRatio: 'none', class: lane.text ? 'lane-text' : null, role: 'img',
    'aria-label': lane.title + ' over ' + whole.format(end) + ' cycles'}, lane.columns.map(draw),
  svg('rect', {class: 'chosen', x: x(chosen.from), width: Math.max(x(chosen.cycles), 2), height})),
  lane.text ? segmentNames(lane.columns) : null));
}

/* The names are HTML above the picture, which is stretched. */
function segmentNames(columns) {
  return element('div', {class: 'segment-names', 'aria-hidden': 'true'}, columns.map(column => {
    const name = element('span', {}, column.text);
    name.style.flex = column.cycles + ' 1 0';
    return name;
  }));
}

function columnRects(column, whole, x, height, unit) {
  let y = height;
  return column.parts.slice().sort((a, b) => orderOf(a.name) - orderOf(b.name)).map(part => {
    const h = whole > 0 ? part.value / whole * height : 0;
    y -= h;
    return svg('rect', {x: x(column.from), y, width: Math.max(x(column.cycles) - 0.6, 0.6), height: h,
      class: colourOf(part.name)},
    svg('title', {}, cycleRange(column) + ': ' + part.name + ' ' + formatNumber(part.value) + ' ' + unit));
  });
}

function cycleRange({from, cycles}) {
  return 'cycles ' + whole.format(from) + ' to ' + whole.format(from + cycles);
}

function cycleScale(end) {
  return element('div', {class: 'scale', 'aria-hidden': 'true'}, [0, 0.25, 0.5, 0.75, 1].map(share =>
    element('span', {}, whole.format(share * end) + (share === 1 ? ' cycles' : ''))));
}

/* ---- one interval ---- */

function intervalSlider(intervals, at, choose) {
  return element('label', {class: 'choice'}, element('span', {}, 'Interval'), element('input', {type: 'range',
    id: 'interval', min: 0, max: intervals.length - 1, value: at, oninput: event => { choose(event.target.value); },
    'aria-valuetext': cycleRange(intervals[at])}), String(at));
}

function intervalSection(run, at) {
  const {intervals, functions} = run.detail.phases, interval = intervals[at], parts = categoryParts(interval);
  const rows = functions.filter(f => f.interval === at);
  const known = f => procedureNamed(f.function ?? '') ?? data.procedures.find(p => p.full === f.function);
  return section('Interval ' + at + (interval.hart === undefined ? '' : ' of hart ' + interval.hart) + ': ' +
    cycleRange(interval), facts([['instructions', formatNumber(interval.retired)],
    ['per cycle', (interval.retired / interval.cycles).toFixed(2)], ['handlers', formatNumber(interval.handlers)]]),
  stackPicture([{title: 'cycles by category', parts}], 'cycles'),
  table({caption: 'Functions of the interval', rows, head: 0, columns: [
    {title: 'function', value: f => f.function ?? '(unknown)', code: true,
      cell: f => known(f) ? procedureLink(known(f), {}) : f.function ?? '(unknown)'},
    numberColumn('cycles', f => f.time / TIME_PER_CYCLE),
    shareColumn('%', f => f.time / TIME_PER_CYCLE / interval.cycles, 1),
    {title: 'heat', value: f => f.time, cell: f => heatBar(f.time / rows[0].time)},
    textColumn('library', f => f.library ?? '')]}));
}
