/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The view of the flame graphs: "#/flame/EVENT?form=FORM&fn=FUNCTION&with=OTHER&q=SEARCH&zoom=PATH". */

const FLAME_FORMS = {
  '': ['Callers at the top', 'A box is below that of its caller.'],
  'inverted': ['Leaf first',
    'At the top is where the event happened; a box is below that of the function that it calls.'],
  'sandwich': ['Callers and callees', 'Of all calls of one function: above it its callers, below it its callees.'],
};

function sandwichAddress(n, name) {
  return flameAddress(n, new URLSearchParams({form: 'sandwich', fn: name}));
}

function flameAddress(n, parameters) {
  const kept = new URLSearchParams([...parameters].filter(([, value]) => value !== ''));
  return '#/flame/' + n + (kept.size > 0 ? '?' + kept : '');
}

/* Parameters with changes. */
function changedParameters(parameters, changes) {
  const next = new URLSearchParams(parameters);
  for (const [key, value] of Object.entries(changes)) next.set(key, value);
  return next;
}

function flames(rest, parameters) {
  const n = Number(rest[0] || 0), flame = data.flames[n];
  if (!flame) return missing();
  const form = FLAME_FORMS[parameters.get('form')] ? parameters.get('form') : '';
  const other = otherTree(n, parameters.get('with')), arrays = other ? other.arrays() : flameArrays(n);
  const unit = other?.unit ?? flame.unit;
  return [element('h1', {}, 'Flame graph: ' + flame.event), flameChoices(n, form, parameters),
    element('p', {class: 'note'}, 'By ' + flame.by + ', in ' + unit + '. ' + FLAME_FORMS[form][1]),
    other ? [element('p', {class: 'note'}, other.note), changeLegend()] : null,
    flamePanel(n, form, arrays, unit, parameters), flameTable(n, arrays, unit)];
}

/* ---- the other side of a difference ---- */

/* What a tree is compared with: the same event before, or another event, by its number; null: nothing. */
function otherTree(n, name) {
  const flame = data.flames[n];
  const before = data.comparison?.flames.find(f => f.event === flame.event && f.by === flame.by);
  if (name === 'before' && before) {
    return {unit: flame.unit + ' per run', note: 'Before: ' + data.comparison.before +
      '. Widths are those after, per run.',
      arrays: () => cachedMerge(n, name, before, 1 / (flame.runs || 1), 1 / (before.runs || 1))};
  }
  const other = name ? data.flames[Number(name)] : null;
  if (!other || other === flame) return null;
  const factor = sum(treeOf(flame).value) / (sum(treeOf(other).value) || 1);
  return {unit: flame.unit, note: 'Before: ' + other.event + ' (' + other.by + '), scaled to the same total.',
    arrays: () => cachedMerge(n, name, other, 1, factor)};
}

const merges = new Map();

function cachedMerge(n, name, other, factorAfter, factorBefore) {
  const key = n + ':' + name;
  if (!merges.has(key)) merges.set(key, mergedTree(treeOf(data.flames[n]), treeOf(other), factorAfter, factorBefore));
  return merges.get(key);
}

/* ---- choices ---- */

function flameChoices(n, form, parameters) {
  const flame = data.flames[n], current = parameters.get('with') || '';
  const link = (text, address, isCurrent) => element('a', {href: address, 'aria-current': isCurrent ? 'true' : null},
    text);
  const row = (name, links) => links.length > 1 ? element('div', {class: 'choice', role: 'group', 'aria-label': name},
    element('span', {}, name), links) : null;
  const others = [['', 'nothing']];
  if (data.comparison?.flames.some(f => f.event === flame.event && f.by === flame.by)) others.push(['before',
    data.comparison.before]);
  data.flames.forEach((f, k) => { if (k !== n) others.push([String(k), f.event + ' (' + f.by + ')']); });
  return element('div', {class: 'chosen'},
    choice('Event', data.flames.map((f, k) => [flameAddress(k,
      changedParameters(parameters, {with: '', zoom: '', zoomup: ''})), f.event + ' (' + f.by + ')', k === n])),
    row('Form', Object.entries(FLAME_FORMS).map(([key, [title]]) => link(title,
      flameAddress(n, changedParameters(parameters, {form: key, zoom: '', zoomup: ''})), key === form))),
    choice('Difference to', others.map(([key, title]) => [flameAddress(n,
      changedParameters(parameters, {with: key, zoom: '', zoomup: ''})), title, key === current])));
}

/* A list to choose an address from: [address, title, whether it is the current one]. */
function choice(name, options) {
  if (options.length < 2) return null;
  const list = element('select', {onchange: () => { location.hash = list.value; }},
    options.map(([address, title, isCurrent]) => element('option', {value: address, selected: isCurrent}, title)));
  return element('label', {class: 'choice'}, element('span', {}, name), list);
}

function changeLegend() {
  const steps = [['change-less-3', 'far less'], ['change-less-2', 'less'], ['change-less-1', 'a little less'],
    ['change-none', 'the same'], ['change-more-1', 'a little more'], ['change-more-2', 'more'], ['change-more-3',
      'far more']];
  return coloursLegend(steps.map(([colour, name]) => ({name, colour})));
}

/* ---- search, graphs, status ---- */

function flamePanel(n, form, arrays, unit, parameters) {
  const state = {query: parameters.get('q') || '', zoom: parameters.get('zoom') || ''};
  const above = {zoom: parameters.get('zoomup') || '', get query() { return state.query; }};
  const name = functionOf(arrays, parameters.get('fn')), status = element('p', {role: 'status', class: 'count'});
  const links = element('p', {class: 'tools'}), graphs = [];
  const graph = (tree, own, up) => flameGraph(tree, own, {unit, up, label: 'flame graph of ' + data.flames[n].event,
    changed: node => { changed(node, tree); }});
  const input = element('input', {type: 'search', value: state.query, spellcheck: 'false', autocomplete: 'off',
    oninput: () => { state.query = input.value; changed(); graphs.forEach(g => g.draw()); }});
  const reset = element('button', {type: 'button', onclick: () => { graphs.forEach(g => g.zoomTo(g.root)); }},
    'Reset zoom');

  function changed(node, tree) {
    for (const [key, value] of [['q', state.query], ['zoom', state.zoom], ['zoomup', above.zoom]]) parameters.set(key,
      value);
    replaceParameters(parameters);
    describe(node ?? graphs[0].zoom(), tree ?? graphs[0]);
  }

  function describe(node, {root}) {
    status.textContent = state.query ? formatShare(sumOfMatches(arrays, state.query) / arrays.all) +
      ' % in functions whose name has \u201c' + state.query + '\u201d' :
      'shown: ' + describeNode(node, root.total, unit, arrays.before !== null);
    reset.disabled = graphs.every(g => g.zoom() === g.root);
    const p = procedureNamed(node.name);
    links.replaceChildren(...[p ? procedureLink(p, {}, 'Code of ' + node.name) : null, node.parent ? element('a',
      {href: flameAddress(n, changedParameters(parameters, {form: 'sandwich', fn: node.name, zoom: '', zoomup: ''}))},
      'Callers and callees of ' + node.name) : null].filter(Boolean));
  }

  if (form === 'sandwich') graphs.push(graph(functionForm(arrays, name, true), above, true),
    graph(functionForm(arrays, name, false), state, false));
  else graphs.push(graph(form === 'inverted' ? invertedForm(arrays) : downwardForm(arrays), state, false));
  describe(graphs.at(-1).zoom(), graphs.at(-1));
  return [form === 'sandwich' ? functionChooser(n, arrays, name, parameters) : null,
    element('p', {class: 'tools'}, element('label', {class: 'search'}, 'Search functions ', input), ' ', reset),
    status, links, graphs.map(g => g.holder)];
}

/* The function of a sandwich: the one asked for, or the one with the largest own value. */
function functionOf(arrays, asked) {
  if (asked && arrays.names.includes(asked)) return asked;
  return functionSums(arrays).sort((a, b) => b.own - a.own)[0]?.name ?? '';
}

function functionChooser(n, arrays, name, parameters) {
  const input = element('input', {type: 'text', value: name, list: 'functions', spellcheck: 'false',
    autocomplete: 'off',
    onchange: () => {
      if (arrays.names.includes(input.value)) {
        location.hash = flameAddress(n, changedParameters(parameters, {fn: input.value, zoom: '', zoomup: ''}));
      }
    }});
  return element('p', {class: 'tools'}, element('label', {class: 'search'}, 'Function ', input),
    element('datalist', {id: 'functions'}, arrays.names.slice(0, 5000).map(text => element('option', {value: text}))));
}

/* Totals of the functions. In a recursion the outermost call counts. */
function flameTable(n, arrays, unit) {
  const c = columnOf(data.flames[n]);
  const compare = arrays.before === null ? [] : [numberColumn('before', row => row.before), {title: 'difference',
    number: true,
    value: row => row.total - row.before, text: row => formatDifference({difference: row.total - row.before})}];
  return table({caption: 'Functions of the flame graph', head: 0, rows: functionSums(arrays),
    state: {sort: 3, down: true}, search: null, columns: [
      {title: 'function', value: row => row.name, code: true, cell: row => element('a', {href: sandwichAddress(n,
        row.name)},
        row.name)},
      numberColumn('own', row => row.own, unit),
      shareOfMany('%', row => row.own / arrays.all, row => isFew(c, row.own)),
      numberColumn('with callees', row => row.total, unit),
      shareOfMany('%', row => row.total / arrays.all, row => isFew(c, row.total)),
        ...compare]});
}
