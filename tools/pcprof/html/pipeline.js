/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of a pipeline log: "#/pipeline?row=NUMBER&zoom=PIXELS". A row for each instruction, in the order of fetch;
 * stages over cycles. ROWS_OF_PIPELINE rows are shown at a time, those around the chosen one. */

const ROWS_OF_PIPELINE = 100, PIPELINE_ROW = 20, ZOOMS = [1, 2, 4, 8, 14, 22, 32], WIDEST = 30000;

/* Kinds of stages, by the names that pcemu writes: what an instruction does there. */
const STAGE_KINDS = {F: 'front', Rn: 'front', Iq: 'wait', Is: 'wait', X: 'work', Xm: 'work', Cm: 'done'};
const STAGE_MEANINGS = {F: 'fetched', Rn: 'renamed', Iq: 'waits for operands', Is: 'waits for a unit', X: 'executes',
  Xm: 'accesses memory', Cm: 'complete, waits to retire'};

function hasPipeline() {
  return document.getElementById('pipeline') !== null;
}

let parsedPipeline = null;

/* Instructions [{fetched, ended, squashed, text, detail, place, steps: [{name, from, cycles}], producers: [number]}] */
function pipelineOf() {
  if (parsedPipeline) return parsedPipeline;
  const log = JSON.parse(packed.pipeline[0]);
  let cycle = log.from;
  const rows = log.text.map((text, n) => {
    cycle += log.fetched[n];
    const steps = [];
    for (let k = 0; k < log.steps[n].length; k += 3) {
      steps.push({name: log.stages[log.steps[n][k]], from: cycle + log.steps[n][k + 1], cycles: log.steps[n][k + 2]});
    }
    return {number: n, fetched: cycle, ended: cycle + log.ended[n], squashed: log.squashed[n] === 1, text: text ?? '',
      detail: log.detail[n], place: log.place[n], steps, producers: log.producers[n].map(distance => n - distance)};
  });
  parsedPipeline = {file: log.file, isCut: log.cut, rows};
  return parsedPipeline;
}

function pipelineView(rest, parameters) {
  const log = pipelineOf(), all = log.rows.length;
  const chosen = Math.min(Math.max(Math.trunc(Number(parameters.get('row')) || 0), 0), all - 1);
  const first = chosen - chosen % ROWS_OF_PIPELINE, rows = log.rows.slice(first, first + ROWS_OF_PIPELINE);
  const turnTo = row => {
    parameters.set('row', row);
    replaceParameters(parameters);
    show('row-' + row);
  };
  return [element('h1', {}, 'Pipeline'), element('p', {class: 'note'}, log.file + ': ' + whole.format(all) +
    ' instructions, ' + whole.format(log.rows.filter(row => row.squashed).length) + ' of them squashed' +
    (log.isCut ? '; the log has more.' : '.')), pipelineTools(first, all, parameters, turnTo),
  pipelinePicture(rows, chosen, zoomOf(parameters), turnTo), stageLegend(), pipelineDetail(log.rows, chosen, turnTo)];
}

/* ---- tools ---- */

function zoomOf(parameters) {
  const zoom = Number(parameters.get('zoom'));
  return ZOOMS.includes(zoom) ? zoom : 14;
}

function pipelineTools(first, all, parameters, turnTo) {
  const at = ZOOMS.indexOf(zoomOf(parameters));
  const zoomTo = (n, id) => {
    parameters.set('zoom', ZOOMS[n]);
    replaceParameters(parameters);
    show(id);
  };
  const button = (id, text, isOff, action) => element('button', {type: 'button', id, disabled: isOff, onclick: action},
    text);
  return element('p', {class: 'tools'},
    button('rows-before', 'Before', first === 0, () => { turnTo(first - ROWS_OF_PIPELINE); }),
    button('rows-behind', 'Behind', first + ROWS_OF_PIPELINE >= all, () => { turnTo(first + ROWS_OF_PIPELINE); }),
    button('zoom-out', 'Zoom out (\u2212)', at === 0, () => { zoomTo(at - 1, 'zoom-out'); }),
    button('zoom-in', 'Zoom in (+)', at === ZOOMS.length - 1, () => { zoomTo(at + 1, 'zoom-in'); }),
    element('span', {class: 'count'}, 'instructions ' + whole.format(first) + ' to ' +
      whole.format(Math.min(first + ROWS_OF_PIPELINE, all) - 1)));
}

/* ---- picture ---- */

function pipelinePicture(rows, chosen, zoom, turnTo) {
  const from = rows[0].fetched, end = Math.max(...rows.map(row => row.ended)) + 1;
  const pixels = Math.min(zoom, WIDEST / (end - from)), x = cycle => (cycle - from) * pixels;
  const labels = rows.map(row => element('li', {class: row.number === chosen ? 'marked' : null},
    element('button', {type: 'button', id: 'row-' + row.number, class: row.squashed ? 'line squashed' : 'line',
      title: row.text, onclick: () => { turnTo(row.number); }}, row.number + ' ' + row.text)));
  const boxes = rows.map((row, n) => svg('g', {class: row.squashed ? 'squashed' : null}, row.steps.map(step =>
    stageBox(step, x, n * PIPELINE_ROW, pixels))));
  const height = rows.length * PIPELINE_ROW;
  const marker = svg('rect', {class: 'chosen', x: 0, y: (chosen - rows[0].number) * PIPELINE_ROW, width: x(end),
    height: PIPELINE_ROW});
  return element('div', {class: 'pipeline'}, element('ol', {class: 'pipeline-labels code'}, labels),
    element('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Stages over cycles ' +
      whole.format(from) + ' to ' + whole.format(end)},
    svg('svg', {width: x(end), height, role: 'img', 'aria-label': 'stages of ' + rows.length + ' instructions'},
      cycleLines(from, end, x, height, pixels), boxes, marker)));
}

function stageBox(step, x, y, pixels) {
  const width = Math.max(step.cycles * pixels - (pixels > 3 ? 1 : 0), 0.5);
  return [svg('rect', {class: 'stage-' + (STAGE_KINDS[step.name] ?? 'wait'), x: x(step.from), y: y + 2, width,
    height: PIPELINE_ROW - 4}, svg('title', {}, step.name + ': ' + cycleRange(step))),
  width > 13 ? svg('text', {class: 'stage-text-' + (STAGE_KINDS[step.name] ?? 'wait'), x: x(step.from) + 2, y: y + 14},
    step.name) : null];
}

/* A line each so many cycles, at least 60 pixels apart. */
function cycleLines(from, end, x, height, pixels) {
  const step = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000].find(n => n * pixels >= 60) ?? 50000;
  const lines = [];
  for (let cycle = Math.ceil(from / step) * step; cycle < end; cycle += step) {
    lines.push(svg('line', {class: 'axis', x1: x(cycle), x2: x(cycle), y1: 0, y2: height},
      svg('title', {}, 'cycle ' + whole.format(cycle))));
  }
  return lines;
}

function stageLegend() {
  return element('p', {class: 'note'}, Object.entries(STAGE_MEANINGS).map(([name, what]) => name + ': ' + what)
    .join('; ') + '. Struck through: squashed.');
}

/* ---- one instruction ---- */

function pipelineDetail(rows, chosen, turnTo) {
  const row = rows[chosen], place = row.place;
  const p = place && data.procedures.find(q => q.image === place[0] && q.start === place[1]);
  const link = n => [' ', element('button', {type: 'button', class: 'line', onclick: () => { turnTo(n); }}, n + ' ' +
    rows[n].text)];
  const consumers = rows.filter(other => other.producers.includes(chosen)).slice(0, 8).map(other => other.number);
  return section('Instruction ' + chosen + ': ' + row.text, facts([['cycles', whole.format(row.fetched) + ' to ' +
    whole.format(row.ended)], ['in the pipeline', formatNumber(row.ended - row.fetched)],
  ['end', row.squashed ? 'squashed' : 'retired'], ['details', row.detail],
  ['code', p ? procedureLink(p, {at: place[2]}, p.procedure) : null],
  ['operands from', row.producers.length > 0 ? row.producers.map(link) : null],
  ['result to', consumers.length > 0 ? consumers.map(link) : null]]),
  table({caption: 'Stages of the instruction', rows: row.steps, head: 0, columns: [
    textColumn('stage', step => step.name), numberColumn('from cycle', step => step.from),
    numberColumn('cycles', step => step.cycles), textColumn('meaning', step => STAGE_MEANINGS[step.name] ?? '')]}));
}
