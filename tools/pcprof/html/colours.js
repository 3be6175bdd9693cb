/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours: one means the same on all views. page.css has them, light and dark. */

/* What the core waits for (contract/timeprof.def), states of the co-processor, and fates of samples. */
const COLOUR_OF = new Map(Object.entries({
  'execute': 'execute', 'ALU stall': 'alu', 'load stall': 'load', 'store stall': 'store', 'front end': 'frontend',
  'mispredict': 'mispredict', 'flush': 'flush', 'handler': 'handler',
  'words': 'busy', 'bubbles': 'bubble', 'waiting': 'waiting', 'halted': 'idle',
  'retired': 'number', 'masked': 'number',
  'processed': 'right', 'right': 'right', 'dropped': 'wrong', 'wrong': 'wrong', 'RMS error': 'wrong',
}));

/* Event signatures have colours of their own, the most frequent ones different ones. */
const SIGNATURE_COLOURS = 9;

function rankSignatures() {
  const sums = new Map();
  for (const p of data.procedures) {
    for (const part of stackOf(p.p)) sums.set(part.name, (sums.get(part.name) || 0) + part.value);
  }
  return [...sums.keys()].filter(name => !COLOUR_OF.has(name)).sort((a, b) => sums.get(b) - sums.get(a));
}
rankSignatures().forEach((name, n) => { COLOUR_OF.set(name, 'signature-' + Math.min(n, SIGNATURE_COLOURS)); });

/* The class of what is drawn for a component. */
function colourOf(name) {
  return 'colour-' + (COLOUR_OF.get(name) || 'signature-' + SIGNATURE_COLOURS);
}

/* The order of components in every bar: that of the table above. */
function orderOf(name) {
  const n = [...COLOUR_OF.keys()].indexOf(name);
  return n < 0 ? COLOUR_OF.size : n;
}

/* Six steps of heat, from the share of the largest value. */
function heatOf(share) {
  return share > 0 ? 'heat-' + Math.min(5, Math.floor(Math.sqrt(share) * 6)) : '';
}

/* Seven steps of change: less -3 to more 3; the share is that of the larger value. */
function changeClass(before, after) {
  const larger = Math.max(before, after);
  const change = larger > 0 ? (after - before) / larger : 0;
  const step = [0.02, 0.1, 0.4].filter(limit => Math.abs(change) > limit).length;
  return 'change-' + (step === 0 ? 'none' : (change < 0 ? 'less-' : 'more-') + step);
}
