/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gains: cycles that the run takes less without a cause of delay of an instruction, measured or estimated. They do not
 * add up: a line or a function has the largest gain of its instructions. */

/* The rows of the data, the largest gain first, by instruction, line and function: the first one counts. */
const gainsOf = {instruction: new Map(), line: new Map(), procedure: new Map()};

for (const gain of data.gains.rows) {
  for (const [map, key] of [[gainsOf.instruction, gain.image + ':' + gain.address],
    [gainsOf.line, gain.image + ':' + gain.file + ':' + gain.line], [gainsOf.procedure, gain.procedure]]) {
    if (!map.has(key)) map.set(key, gain);
  }
}

function hasGains() {
  return data.gains.rows.length > 0;
}

function isMeasured(gain) {
  return isKnown(gain.measured);
}

/* What is known best: the measured share of the cycles, else the estimated one. */
function gainShare(gain) {
  return isMeasured(gain) ? gain.measured : gain.estimated;
}

function gainOfInstruction(image, address) {
  return gainsOf.instruction.get(image + ':' + address);
}

function gainOfLine({image, file, line}) {
  return file >= 0 ? gainsOf.line.get(image + ':' + file + ':' + line) : undefined;
}

const procedureNumbers = new Map(data.procedures.map((p, number) => [p, number]));

function gainOfProcedure(p) {
  return gainsOf.procedure.get(procedureNumbers.get(p));
}

/* ---- in other views ---- */

function gainTitle(gain) {
  return (isMeasured(gain) ? 'Measured in a repeated run: it takes ' : 'Estimated by ' + data.gains.estimated_by +
    ': the run would take ') + formatShare(gainShare(gain)) + ' % fewer cycles without ' + gain.removed + ' of ' +
    gain.text;
}

/* A gain in a cell; an estimate is marked. */
function gainText(gain) {
  return element('span', {title: gainTitle(gain)}, (isMeasured(gain) ? '' : '\u2248 ') +
    formatShare(gainShare(gain), 1));
}

/* The column of gains, by a function from a row to a gain, or undefined; no column without gains. Estimates that round
 * to 0 are blank. */
function gainColumns(gainOf) {
  const known = row => {
    const gain = gainOf(row);
    return gain && (isMeasured(gain) || gain.estimated >= 0.0005) ? gain : null;
  };
  return hasGains() ? [{title: 'gain %', number: true, value: row => known(row) ? gainShare(known(row)) : null,
    cell: row => known(row) ? gainText(known(row)) : ''}] : [];
}

function gainNote(of) {
  return hasGains() ? element('p', {class: 'note'}, 'gain %: the cycles that the run takes less without a cause of ' +
    'delay of one instruction, of ' + of + ' the largest; \u2248: estimated. ',
  element('a', {href: '#/gains'}, 'All gains')) : null;
}

/* "bltu in quicksort, sort.c:53", with a link. */
function gainPlace(gain) {
  const p = data.procedures[gain.procedure];
  return procedureLink(p, {at: gain.address}, gain.text.split(' ')[0] + ' in ' + p.procedure +
    (gain.file >= 0 ? ', ' + lineName(gain.file, gain.line) : ''));
}

/* "without the mispredictions of ..., it takes 22 % fewer"; null: nothing gains as much as 1 %. */
function gainWords(gain) {
  if (!gain || gainShare(gain) < 0.01) return null;
  return ['without ' + gain.removed + ' of ', gainPlace(gain), isMeasured(gain) ? ', the run takes ' :
    ', the run would take an estimated ', percent(gainShare(gain)) + ' fewer cycles'];
}

/* How the gain of the first sentence is known. */
function gainKnownBy(gain) {
  if (!gainWords(gain)) return '';
  return isMeasured(gain) ? ' The gain was measured, in a repeated run.' :
    ' The gain is an estimate, by ' + data.gains.estimated_by + '.';
}

/* ---- their own view ---- */

function gainsView(rest, parameters) {
  const total = data.columns.length > 0 ? truthOfColumn(0) : NaN;
  const timed = data.gains.rows.some(gain => isKnown(gain.time));
  const procedureOf = gain => data.procedures[gain.procedure];
  return [element('h1', {}, 'Gains'),
    element('p', {class: 'sentence'}, 'The time of an instruction is that for which commit waits for it; its gain ' +
      'differs, because this wait can overlap with others, and because what follows can wait for it, too.'),
    element('p', {class: 'note'}, 'Gain: cycles that the run takes less without the causes of delay. Gains do not ' +
      'add up. Measured: in a repeated run (pcemu --gain). Estimated: from the dependences of the run' +
      (data.gains.estimated_by ? ', by ' + data.gains.estimated_by : '') + '.'),
    table(Object.assign({caption: 'Gains', rows: data.gains.rows, head: 0, columns: [
      {title: 'instruction', value: gain => gain.text, code: true,
        cell: gain => procedureLink(procedureOf(gain), {at: gain.address}, gain.text)},
      ...(timed ? [shareColumn('time %', gain => gain.time / total)] : []),
      shareColumn('measured %', gain => gain.measured), shareColumn('estimated %', gain => gain.estimated),
      textColumn('without', gain => gain.removed),
      {title: 'line', value: gain => gain.file >= 0 ? lineName(gain.file, gain.line) : '', code: true},
      {title: 'function', value: gain => procedureOf(gain).procedure, code: true, clip: true}]},
    searched('Search gains', parameters, -1)))];
}
