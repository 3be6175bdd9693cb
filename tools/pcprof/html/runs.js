/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The views of the runs: one run, and the cycle stacks of all. */

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
    'waited for (category), and by the events of the instructions (signature).'), slotsNote(),
  data.runs.filter(hasStacks).map(stacksOfRun)];
}

/* Where the page has both: why a cause has two shares. */
function slotsNote() {
  return data.columns.some(c => c.event.startsWith('topdown.')) ? element('p', {class: 'note'}, 'Shares of cycle ' +
    'stacks differ from those of issue slots (events topdown.*, pcprof why): a stack counts whole cycles by what ' +
    'commit waits for, top-down analysis the slots of each cycle by why no instruction enters the back end.') : null;
}

function hasStacks(run) {
  if (!run.detail) return false;
  const {categories, signatures} = barsOf(run);
  return categories.length + signatures.length > 0;
}

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
