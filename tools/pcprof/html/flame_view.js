/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawing of a form of a flame graph: a box is as wide as its share of the event. A click, or Enter, zooms. */

const FLAME_ROW = 20, FLAME_ROWS = 300, FLAME_LEAST = 1;

/* The node at a path of positions, such as "0.3", or the last one of it that exists. */
function nodeAt(form, path) {
  let node = form.root;
  for (const position of path ? path.split('.') : []) node = childrenIn(form, node)[Number(position)] || node;
  return node;
}

function pathTo(form, node) {
  const path = [];
  for (; node.parent; node = node.parent) path.unshift(childrenIn(form, node.parent).indexOf(node));
  return path.join('.');
}

/* Boxes {node, x, width} of the callers of the zoomed node, at full width, and of what is below it. */
function flameBoxes(form, zoom, width) {
  const boxes = [], waiting = [{node: zoom, x: 0}], scale = width / (zoom.total || 1);
  for (let node = zoom.parent; node; node = node.parent) boxes.unshift({node, x: 0, width});
  while (waiting.length > 0) {
    const {node, x} = waiting.pop();
    boxes.push({node, x, width: node.total * scale});
    if (node.depth - zoom.depth >= FLAME_ROWS) continue;
    let at = x;
    for (const child of childrenIn(form, node)) {
      if (child.total * scale >= FLAME_LEAST) waiting.push({node: child, x: at});
      at += child.total * scale;
    }
  }
  return boxes;
}

/* A flame graph of a form. `state`: {zoom: path, query}; options: label, unit, up (children above), changed(state). */
function flameGraph(form, state, options) {
  const holder = element('div', {class: 'flame'}), {arrays, root} = form;
  let zoom = nodeAt(form, state.zoom), selected = zoom, boxes = [];
  const isCompared = arrays.before !== null;

  function zoomTo(node) {
    zoom = selected = node;
    state.zoom = pathTo(form, node);
    options.changed(node);
    draw();
    boxes.find(box => box.node === node)?.g.focus({preventScroll: true});
  }

  function box(b, y) {
    const {node} = b;
    const label = describeNode(node, root.total, options.unit, isCompared);
    b.g = svg('g', {class: 'box ' + (isCompared ? changeClass(node.before, node.total) : flameColour(node.name)) +
      (isMatch(node) ? ' match' : '') + (state.query ? ' searched' : ''), tabindex: node === selected ? 0 : -1,
      role: 'treeitem', 'aria-level': node.depth + 1, 'aria-label': label, onclick: () => { zoomTo(node); }},
    svg('title', {}, fullName(b.node.name) + label),
    svg('rect', {x: b.x, y, width: Math.max(b.width - 1, 0.5), height: FLAME_ROW - 1}),
    b.width < 24 ? null : svg('svg', {x: b.x, y, width: b.width - 3, height: FLAME_ROW, 'aria-hidden': 'true'},
      svg('text', {x: 4, y: 14}, node.name)));
    return b.g;
  }

  function isMatch(node) {
    return Boolean(state.query) && node !== root && node.name.toLowerCase().includes(state.query.toLowerCase());
  }

  function draw() {
    const width = Math.max(holder.clientWidth || 900, 300);
    boxes = flameBoxes(form, zoom, width);
    const rows = Math.max(...boxes.map(b => b.node.depth)) + 1;
    const top = node => (options.up ? rows - 1 - node.depth : node.depth) * FLAME_ROW;
    holder.replaceChildren(svg('svg', {width, height: rows * FLAME_ROW, role: 'tree', onkeydown: key,
      'aria-label': options.label + '; arrow keys move, Enter zooms, Escape resets the zoom; the table below has the ' +
      'numbers'}, boxes.map(b => box(b, top(b.node)))));
  }

  function key(event) {
    const visible = node => node && boxes.some(b => b.node === node) ? node : null;
    const beside = step => {
      const same = boxes.filter(b => b.node.depth === selected.depth).sort((a, b) => a.x - b.x);
      return same[same.findIndex(b => b.node === selected) + step]?.node;
    };
    const inward = () => visible(childrenIn(form, selected).slice().sort((a, b) => b.total - a.total)[0]);
    const outward = () => visible(selected.parent);
    const next = {ArrowDown: options.up ? outward : inward, ArrowUp: options.up ? inward : outward,
      ArrowLeft: () => beside(-1), ArrowRight: () => beside(1)}[event.key];
    if (event.key === 'Enter' || event.key === ' ') zoomTo(selected);
    else if (event.key === 'Escape') zoomTo(root);
    else if (next) select(next());
    else return;
    event.preventDefault();
  }

  function select(node) {
    if (!node) return;
    for (const b of boxes) b.g.setAttribute('tabindex', b.node === node ? 0 : -1);
    selected = node;
    boxes.find(b => b.node === node).g.focus();
  }

  new ResizeObserver(() => { if (Math.abs((holder.firstChild?.clientWidth || 0) - holder.clientWidth) > 1) draw(); })
    .observe(holder);
  queueMicrotask(draw); /* when the element has a width */
  return {holder, draw, zoomTo, root, zoom: () => zoom};
}

function describeNode(node, all, unit, isCompared) {
  const text = node.name + ': ' + formatNumber(node.total) + ' ' + unit + ', ' + formatShare(node.total / all) + ' %';
  return isCompared ? text + '; before ' + formatNumber(node.before) + ', ' +
    formatDifference({difference: node.total - node.before}) : text;
}

/* Names have colours only to tell neighbours apart. */
function flameColour(name) {
  let hash = 0;
  for (const c of name) hash = (hash * 31 + c.codePointAt(0)) % 6;
  return 'flame-' + hash;
}
