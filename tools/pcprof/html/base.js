/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The script of pcprof report's page: the files of this folder, joined in the order of their names. base.js has the
 * data, elements and numbers. All texts of the data become text nodes or attributes, never HTML. */
'use strict';

const data = JSON.parse(document.getElementById('data').textContent);
const page = document.getElementById('page');

/* ---- elements ---- */

/* Makes an element: attributes, "onclick" and the like as listeners; children are elements, texts or lists;
 * null: none. */
function element(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);
}

function fill(e, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
    else if (value !== null && value !== false && value !== undefined) e.setAttribute(key, value === true ? '' : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) e.append(child);
  }
  return e;
}

/* ---- numbers ---- */

const whole = new Intl.NumberFormat('en', {maximumFractionDigits: 0});
const small = new Intl.NumberFormat('en', {maximumFractionDigits: 2});

function isKnown(x) {
  return typeof x === 'number' && Number.isFinite(x);
}

function formatNumber(x) {
  if (!isKnown(x)) return '-';
  return Math.abs(x) >= 100 || Number.isInteger(x) ? whole.format(x) : small.format(x);
}

function formatShare(x, digits = 2) {
  return isKnown(x) ? (x * 100).toFixed(digits) : '-';
}

/* An error in per cent, with its sign. */
function formatError(x) {
  if (!isKnown(x)) return '-';
  const text = (x * 100).toFixed(1);
  return x > 0 && text !== '0.0' ? '+' + text : text === '-0.0' ? '0.0' : text.replace('-', '\u2212');
}

function formatValue(value, unit) {
  return unit === 'share' ? formatShare(value, 3) + ' %' : formatNumber(value) + ' ' + unit;
}

function errorOf(estimate, exact) {
  return isKnown(exact) && exact > 0 ? (estimate - exact) / exact : NaN;
}

/* ---- data ---- */

/* What is compressed: lines of JSON, which are parsed when they are needed. code: of the procedures (code.js); trees:
 * of call stacks (flame_tree.js); pipeline: a log (pipeline.js). Null: not read yet. */
const packed = {code: null, trees: null, pipeline: null};

async function readPacked(name) {
  const text = atob(document.getElementById(name).textContent), bytes = new Uint8Array(text.length);
  for (let n = 0; n < text.length; n++) bytes[n] = text.charCodeAt(n);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  packed[name] = (await new Response(stream).text()).split('\n');
}

/* Values of a place by column: {estimate, exact}. */
function valuesOf(list) {
  const values = new Map();
  for (let n = 0; list && n < list.length; n += 3) values.set(list[n], {estimate: list[n + 1], exact: list[n + 2]});
  return values;
}

/* Components of a cycle stack: [{name, value}], the largest first. */
function stackOf(list) {
  const stack = [];
  for (let n = 0; list && n < list.length; n += 2) stack.push({name: data.components[list[n]], value: list[n + 1]});
  return stack.sort((a, b) => b.value - a.value);
}

function sum(list) {
  return list.reduce((a, b) => a + b, 0);
}

/* Name of a column: with the profiler if several have the event. */
function columnName(c) {
  const column = data.columns[c];
  const alone = data.columns.filter(other => other.event === column.event).length === 1;
  return alone ? column.event : column.event + ' (' + column.by + ')';
}

function imageName(number) {
  return number >= 0 ? data.images[number].name : data.no_place;
}

function lineName(file, line) {
  if (file === null || file === undefined) return '';
  const path = data.files[file];
  return path.slice(path.lastIndexOf('/') + 1) + ':' + line;
}

function procedureAddress(p) {
  return '#/procedure/' + p.image + '/' + p.start;
}

/* A link to a procedure, with parameters of its view. */
function procedureLink(p, parameters, ...text) {
  const query = new URLSearchParams(parameters).toString();
  return element('a', {href: procedureAddress(p) + (query ? '?' + query : ''), title: p.full || p.procedure},
    text.length > 0 ? text : p.procedure);
}

/* The first procedure of a name in call stacks, which is that of the image for code without symbols. */
function procedureNamed(name) {
  return data.procedures.find(p => p.procedure === name || p.procedure === '[' + name + ']');
}

/* The full name of a function in call stacks, with the end of its line, if the stacks have a short one. */
const fullNames = new Map(data.procedures.filter(p => p.full).map(p => [p.procedure, p.full]));

function fullName(name) {
  return fullNames.has(name) ? fullNames.get(name) + '\n' : '';
}

/* What is known best of a value: the exact answer, else the estimate. */
function truth(value) {
  return isKnown(value?.exact) ? value.exact : value?.estimate ?? 0;
}

/* The same of a whole column. */
function truthOfColumn(c) {
  const column = data.columns[c];
  return isKnown(column.exact) ? column.exact : column.estimate;
}

/* How it is known: "exact", or by a profiler. */
function authority(c) {
  const column = data.columns[c];
  return column.source === 'exact' || isKnown(column.exact) ? 'exact' : 'estimated by ' + column.by;
}

/* An estimate of fewer samples has a relative error of more than 18 %: it is shown without a share. */
const FEW_SAMPLES = 30;

function isFew(c, estimate) {
  const perSample = data.columns[c]?.per_sample;
  return isKnown(perSample) && estimate < FEW_SAMPLES * perSample;
}

/* The same of what is known best of a value: an exact answer has no such error. */
function isFewBest(c, value) {
  return !isKnown(value?.exact) && isFew(c, value?.estimate ?? 0);
}

/* The same of a value that `truth` has chosen of a column. */
function isFewTruth(c, value) {
  return !isKnown(data.columns[c]?.exact) && isFew(c, value);
}

/* The column of an event of a profiler; -1: none. */
function columnOf({event, by}) {
  return data.columns.findIndex(column => column.event === event && column.by === by);
}

/* Runs with details of a kind. */
function runsWith(key) {
  return data.runs.filter(run => run.detail && run.detail[key] !== undefined);
}

const totals = {
  cycles: sum(data.runs.map(run => run.cycles)),
  instructions: sum(data.runs.map(run => run.instructions)),
};
