/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Flame graphs: a function's box is above that of its caller, as wide as its share of the event. */

/* The tree of an event: nodes with parent, children, own value and total. */
function flameTree(flame) {
  const root = {name: 'all', own: 0, total: 0, children: [], parent: null, depth: 0, number: -1};
  const nodes = flame.parent.map((_, n) => ({name: flame.names[flame.name[n]],
    full: flame.full[flame.name[n]], own: flame.value[n], total: flame.value[n], children: [], number: n}));
  nodes.forEach((node, n) => { /* parents have smaller numbers */
    node.parent = flame.parent[n] < 0 ? root : nodes[flame.parent[n]];
    node.depth = node.parent.depth + 1;
    node.parent.children.push(node);
  });
  for (let n = nodes.length - 1; n >= 0; n--) nodes[n].parent.total += nodes[n].total;
  for (const node of [root, ...nodes]) {
    node.children.sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : a.number - b.number);
  }
  return {root, nodes};
}

const FLAME_ROW = 20;

function flameGraph(flame, state, changed) {
  const {root, nodes} = flameTree(flame);
  const status = element('p', {role: 'status', class: 'count'});
  const holder = element('div', {class: 'flame'});
  let zoom = nodes[state.zoom] || root, selected = zoom, boxes = [];

  const input = element('input', {type: 'search', value: state.query || '', spellcheck: 'false', autocomplete: 'off',
    oninput: () => { state.query = input.value; changed(state); draw(); }});
  const reset = element('button', {type: 'button', onclick: () => { zoomTo(root); }}, 'Reset zoom');

  function zoomTo(node) {
    zoom = selected = node;
    state.zoom = node.number;
    changed(state);
    draw();
    boxes.find(box => box.node === node)?.g.focus({preventScroll: true});
  }

  function describe(node) {
    return node.name + ': ' + formatNumber(node.total) + ' ' + flame.unit + ', ' +
      formatShare(node.total / root.total) + ' %; own ' + formatNumber(node.own);
  }

  function matches(node) {
    const query = (state.query || '').toLowerCase();
    return query !== '' && node !== root && (node.full || node.name).toLowerCase().includes(query);
  }

  /* Boxes from the zoomed node up, callers below it at full width. */
  function layout(width) {
    const list = [], callers = [];
    for (let node = zoom.parent; node; node = node.parent) callers.push({node, x: 0, width});
    const walk = (node, x, scale) => {
      if (node.total * scale < 0.7) return;
      list.push({node, x, width: node.total * scale});
      for (const child of node.children) {
        walk(child, x, scale);
        x += child.total * scale;
      }
    };
    walk(zoom, 0, width / (zoom.total || 1));
    return callers.concat(list);
  }

  function box(b, top) {
    const length = Math.floor((b.width - 6) / 7);
    const name = b.node.name.length <= length ? b.node.name : length < 3 ? '' :
      b.node.name.slice(0, length - 1) + '\u2026';
    let hash = 0;
    for (const c of b.node.name) hash = (hash * 31 + c.codePointAt(0)) % 6;
    b.g = svg('g', {class: 'box flame-' + hash + (matches(b.node) ? ' match' : '') +
      (state.query ? ' searched' : ''), tabindex: b.node === selected ? 0 : -1, role: 'treeitem',
      'aria-level': b.node.depth + 1, 'aria-label': describe(b.node), 'data-number': b.node.number,
      onclick: () => { zoomTo(b.node); }},
    svg('title', {}, (b.node.full ? b.node.full + '\n' : '') + describe(b.node)),
    svg('rect', {x: b.x, y: top - b.node.depth * FLAME_ROW, width: Math.max(b.width - 1, 0.5), height: FLAME_ROW - 1}),
    name ? svg('text', {x: b.x + 4, y: top - b.node.depth * FLAME_ROW + 14}, name) : null);
    return b.g;
  }

  function draw() {
    const width = Math.max(holder.clientWidth || 900, 300);
    boxes = layout(width);
    const depth = Math.max(...boxes.map(b => b.node.depth));
    const top = depth * FLAME_ROW;
    const found = nodes.filter(node => matches(node) && !under(node));
    holder.replaceChildren(svg('svg', {width, height: top + FLAME_ROW, role: 'tree', onkeydown: key,
      'aria-label': 'flame graph of ' + flame.event + '; arrow keys move, Enter zooms, Escape resets the zoom; ' +
      'the table below has the numbers'}, boxes.map(b => box(b, top))));
    status.textContent = state.query ? formatShare(sum(found.map(node => node.total)) / root.total) +
      ' % in functions whose name has \u201c' + state.query + '\u201d' : 'shown: ' + describe(zoom);
    reset.disabled = zoom === root;
  }

  /* Whether a caller matches too: its total has that of the node. */
  function under(node) {
    for (let n = node.parent; n; n = n.parent) if (matches(n)) return true;
    return false;
  }

  function key(event) {
    const at = boxes.findIndex(b => b.node === selected);
    const visible = node => node && boxes.some(b => b.node === node) ? node : null;
    const beside = step => {
      const same = boxes.filter(b => b.node.depth === selected.depth).sort((a, b) => a.x - b.x);
      return same[same.findIndex(b => b.node === selected) + step]?.node;
    };
    const widest = node => node.children.slice().sort((a, b) => b.total - a.total)[0];
    const next = {
      ArrowUp: () => visible(widest(selected)), ArrowDown: () => visible(selected.parent),
      ArrowLeft: () => beside(-1), ArrowRight: () => beside(1),
    }[event.key];
    if (at < 0) return;
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
  return [element('p', {class: 'tools'}, element('label', {class: 'search'}, 'Search functions ', input), ' ', reset),
    status, holder, flameTable(nodes, root, flame)];
}

/* Totals of the functions. In a recursion the outermost call counts. */
function flameTable(nodes, root, flame) {
  const rows = new Map();
  for (const node of nodes) {
    const row = rows.get(node.name) || {name: node.name, own: 0, total: 0};
    let outermost = true;
    for (let n = node.parent; n; n = n.parent) if (n.name === node.name) outermost = false;
    row.own += node.own;
    if (outermost) row.total += node.total;
    rows.set(node.name, row);
  }
  return table({caption: 'Functions of the flame graph', head: 0, rows: [...rows.values()],
    state: {sort: 3, down: true}, columns: [
      Object.assign(textColumn('function', row => row.name), {code: true}),
      numberColumn('own', row => row.own, flame.unit), shareColumn('%', row => row.own / root.total),
      numberColumn('with callees', row => row.total, flame.unit), shareColumn('%', row => row.total / root.total)]});
}
