/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees of call stacks. A tree of an event is in arrays, callers before their callees; a form of the flame graph is a
 * tree of its own, whose nodes find their children when they are drawn. */

/* The arrays of a tree {depth, name, names, value}: caller, own and total value of each node. */
function treeArrays(tree) {
  const count = tree.name.length, parent = new Int32Array(count), total = Float64Array.from(tree.value), open = [];
  for (let n = 0; n < count; n++) {
    const depth = tree.depth[n];
    parent[n] = depth > 0 ? open[depth - 1] : -1;
    open[depth] = n;
  }
  let all = 0;
  for (let n = count - 1; n >= 0; n--) {
    if (parent[n] >= 0) total[parent[n]] += total[n];
    else all += total[n];
  }
  return {count, depth: tree.depth, name: tree.name, names: tree.names, parent, own: Float64Array.from(tree.value),
    total, all,
    before: null, allBefore: 0};
}

const treesOf = new Map(), arraysOf = new Map();

/* The tree of an event of data.flames, or of those before: {depth, name, names, value}. */
function treeOf(flame) {
  if (!treesOf.has(flame.tree)) treesOf.set(flame.tree, JSON.parse(packed.trees[flame.tree]));
  return treesOf.get(flame.tree);
}

function flameArrays(n) {
  if (!arraysOf.has(n)) arraysOf.set(n, treeArrays(treeOf(data.flames[n])));
  return arraysOf.get(n);
}

/* Two trees as one: the second one's values are `before`, times a factor. Nodes are the same if their paths are. */
function mergedTree(after, before, factorAfter, factorBefore) {
  const root = {children: new Map(), own: 0, before: 0};
  const add = (tree, key, factor) => {
    const nodes = [];
    for (let n = 0; n < tree.name.length; n++) {
      const parent = tree.depth[n] > 0 ? nodes[tree.depth[n] - 1] : root, name = tree.names[tree.name[n]];
      let node = parent.children.get(name);
      if (!node) parent.children.set(name, node = {name, children: new Map(), own: 0, before: 0});
      node[key] += tree.value[n] * factor;
      nodes[tree.depth[n]] = node;
    }
  };
  add(after, 'own', factorAfter);
  add(before, 'before', factorBefore);
  return flattened(root);
}

function flattened(root) {
  const tree = {depth: [], name: [], names: [], value: []}, before = [], numbers = new Map();
  const waiting = [...root.children.values()].map(node => ({node, depth: 0}));
  while (waiting.length > 0) {
    const {node, depth} = waiting.pop();
    if (!numbers.has(node.name)) numbers.set(node.name, tree.names.push(node.name) - 1);
    tree.depth.push(depth);
    tree.name.push(numbers.get(node.name));
    tree.value.push(node.own);
    before.push(node.before);
    for (const child of node.children.values()) waiting.push({node: child, depth: depth + 1});
  }
  const arrays = treeArrays(tree), old = treeArrays(Object.assign({}, tree, {value: before}));
  return Object.assign(arrays, {before: old.total, ownBefore: old.own, allBefore: old.all});
}

/* ---- forms ---- */

/* A node of a form: the tree's nodes that it stands for, each with its weight (null: its total). */
function formNode(arrays, parent, name, members, weights) {
  const value = (all, n, k) => weights ? weights[k] : all[n];
  const node = {name, parent, depth: parent ? parent.depth + 1 : 0, members, weights, total: 0, before: 0};
  members.forEach((n, k) => {
    node.total += value(arrays.total, n, k);
    if (arrays.before) node.before += value(arrays.before, n, k);
  });
  return node;
}

function byName(groups, make) {
  return [...groups.entries()].sort(([a], [b]) => a < b ? -1 : 1).map(([name, group]) => make(name, group));
}

/* The callees of each node as a list: the first one, and of each one the next with the same caller. */
function childLists(arrays) {
  if (arrays.first) return arrays;
  arrays.first = new Int32Array(arrays.count).fill(-1);
  arrays.next = new Int32Array(arrays.count).fill(-1);
  for (let n = arrays.count - 1; n >= 0; n--) {
    if (arrays.parent[n] < 0) continue;
    arrays.next[n] = arrays.first[arrays.parent[n]];
    arrays.first[arrays.parent[n]] = n;
  }
  return arrays;
}

/* Callees of a node: the tree itself, or what is below a function. */
function calleesOf(arrays, node) {
  const groups = new Map(), {first, next} = childLists(arrays);
  for (const member of node.members) {
    for (let n = first[member]; n >= 0; n = next[n]) push(groups, arrays.names[arrays.name[n]], n);
  }
  return byName(groups, (name, members) => formNode(arrays, node, name, members, null));
}

function push(groups, name, n) {
  if (!groups.has(name)) groups.set(name, []);
  groups.get(name).push(n);
}

/* Callers of a node: each member's weight goes to its caller. */
function callersOf(arrays, node) {
  const groups = new Map();
  node.members.forEach((member, k) => {
    const n = arrays.parent[member];
    if (n < 0) return;
    const name = arrays.names[arrays.name[n]];
    if (!groups.has(name)) groups.set(name, {members: [], weights: [], old: []});
    const group = groups.get(name);
    group.members.push(n);
    group.weights.push(node.weights[k]);
    group.old.push(node.old ? node.old[k] : 0);
  });
  return byName(groups, (name, group) => weighedNode(arrays, node, name, group));
}

/* A node with weights, and those of before. */
function weighedNode(arrays, parent, name, {members, weights, old}) {
  return {name, parent, depth: parent ? parent.depth + 1 : 0, members, weights, old, total: sum(weights),
    before: sum(old)};
}

/* The children of a node in a form, found once. */
function childrenIn(form, node) {
  return node.children ??= form.expand(node);
}

/* Callers at the top. */
function downwardForm(arrays) {
  const outermost = [];
  for (let n = 0; n < arrays.count; n++) if (arrays.parent[n] < 0) outermost.push(n);
  const root = {name: 'all', parent: null, depth: 0, members: [], total: arrays.all, before: arrays.allBefore};
  return {arrays, root, expand: node => {
    if (node !== root) return calleesOf(arrays, node);
    const groups = new Map();
    for (const n of outermost) push(groups, arrays.names[arrays.name[n]], n);
    return byName(groups, (name, members) => formNode(arrays, root, name, members, null));
  }};
}

/* The functions where the event happened at the top, their callers below. */
function invertedForm(arrays) {
  const root = {name: 'all', parent: null, depth: 0, members: [], total: arrays.all, before: arrays.allBefore};
  return {arrays, root, expand: node => {
    if (node !== root) return callersOf(arrays, node);
    const groups = new Map();
    for (let n = 0; n < arrays.count; n++) {
      const old = arrays.ownBefore ? arrays.ownBefore[n] : 0;
      if (arrays.own[n] === 0 && old === 0) continue;
      const name = arrays.names[arrays.name[n]];
      if (!groups.has(name)) groups.set(name, {members: [], weights: [], old: []});
      const group = groups.get(name);
      group.members.push(n);
      group.weights.push(arrays.own[n]);
      group.old.push(old);
    }
    return byName(groups, (name, group) => weighedNode(arrays, root, name, group));
  }};
}

/* The outermost nodes of a function: those of a recursion have it in their totals. */
function outermostOf(arrays, name) {
  const number = arrays.names.indexOf(name), members = [];
  for (let n = 0, inside = Infinity; n < arrays.count; n++) {
    if (arrays.depth[n] <= inside) inside = Infinity;
    if (inside === Infinity && arrays.name[n] === number) {
      members.push(n);
      inside = arrays.depth[n];
    }
  }
  return members;
}

/* A function with its callees, or with its callers. */
function functionForm(arrays, name, withCallers) {
  const members = outermostOf(arrays, name);
  const weights = members.map(n => arrays.total[n]), old = members.map(n => arrays.before ? arrays.before[n] : 0);
  const root = withCallers ? weighedNode(arrays, null, name, {members, weights, old}) :
    formNode(arrays, null, name, members, null);
  return {arrays, root, expand: node => withCallers ? callersOf(arrays, node) : calleesOf(arrays, node)};
}

/* ---- sums ---- */

/* The sums of all functions: own, and with callees, of a recursion the outermost call. */
function functionSums(arrays) {
  const rows = arrays.names.map(name => ({name, own: 0, total: 0, before: 0}));
  const open = new Int32Array(arrays.names.length), path = [];
  for (let n = 0; n < arrays.count; n++) {
    while (path.length > arrays.depth[n]) open[path.pop()]--;
    const row = rows[arrays.name[n]];
    row.own += arrays.own[n];
    if (open[arrays.name[n]] === 0) {
      row.total += arrays.total[n];
      row.before += arrays.before ? arrays.before[n] : 0;
    }
    open[arrays.name[n]]++;
    path.push(arrays.name[n]);
  }
  return rows;
}

/* The sum of the functions whose name has a text; of a call inside such a function the outer one counts. */
function sumOfMatches(arrays, query) {
  const isMatch = arrays.names.map(name => name.toLowerCase().includes(query.toLowerCase()));
  let found = 0;
  for (let n = 0, inside = Infinity; n < arrays.count; n++) {
    if (arrays.depth[n] <= inside) inside = Infinity;
    if (inside === Infinity && isMatch[arrays.name[n]]) {
      found += arrays.total[n];
      inside = arrays.depth[n];
    }
  }
  return found;
}

/* Direct callers and callees of a function, with the values of their calls. A recursive function is its own caller. */
function stackNeighbours(arrays, name) {
  const number = arrays.names.indexOf(name), callers = new Map(), callees = new Map();
  let own = 0;
  const add = (map, key, value) => { map.set(key, (map.get(key) || 0) + value); };
  for (let n = 0; n < arrays.count; n++) {
    const caller = arrays.parent[n];
    if (arrays.name[n] === number) {
      own += arrays.own[n];
      if (caller >= 0) add(callers, arrays.names[arrays.name[caller]], arrays.total[n]);
    }
    if (caller >= 0 && arrays.name[caller] === number) add(callees, arrays.names[arrays.name[n]], arrays.total[n]);
  }
  const list = map => [...map].map(([key, value]) => ({name: key, value})).filter(row => row.value > 0);
  return {callers: list(callers), callees: list(callees), own, total: sum(outermostOf(arrays, name).map(n =>
    arrays.total[n]))};
}
