/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures as SVG, each with the numbers in a table or in its label: cycle stacks as bars, time lines. */

const WIDTH = 960;

/* The names of components by their sum: the first ones have colours of their own, the others share the last. */
const COLOURS = 9;

function palette(names) {
  return new Map(names.map((name, n) => [name, 'fill-' + Math.min(n, COLOURS)]));
}

/* Bars of one length, each a stack of components: bars [{title, parts: [{name, value}]}]. */
function stackPicture(bars, unit) {
  const sums = new Map();
  for (const bar of bars) {
    for (const part of bar.parts) sums.set(part.name, (sums.get(part.name) || 0) + part.value);
  }
  const names = [...sums.keys()].sort((a, b) => sums.get(b) - sums.get(a));
  const colour = palette(names);
  const rows = bars.map(bar => stackRow(bar, colour, unit));
  const entries = names.slice(0, COLOURS).map(name => ({name, colour: colour.get(name)}));
  if (names.length > COLOURS) entries.push({name: 'others', colour: 'fill-' + COLOURS});
  return element('figure', {class: 'stacks'}, rows, legendOf(entries));
}

/* The names of colours, for eyes only: labels and tables have them too. */
function legendOf(entries) {
  return element('ul', {class: 'legend', 'aria-hidden': 'true'}, entries.map(entry => element('li', {},
    svg('svg', {width: 12, height: 12}, svg('rect', {width: 12, height: 12, class: entry.colour})), ' ', entry.name)));
}

function stackRow(bar, colour, unit) {
  const total = sum(bar.parts.map(part => part.value)) || 1;
  const label = bar.title + ': ' + bar.parts.map(part => part.name + ' ' + formatShare(part.value / total, 1) + ' %')
    .join(', ');
  let x = 0;
  const order = [...colour.keys()];
  const parts = bar.parts.slice().sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
  const rects = parts.map(part => {
    const width = part.value / total * WIDTH;
    const rect = svg('rect', {x, width, height: 28, class: colour.get(part.name)},
      svg('title', {}, part.name + ': ' + formatNumber(part.value) + ' ' + unit + ', ' +
        formatShare(part.value / total) + ' %'));
    x += width;
    return rect;
  });
  return element('div', {class: 'bar'}, element('span', {class: 'bar-title'}, bar.title),
    svg('svg', {viewBox: '0 0 ' + WIDTH + ' 28', preserveAspectRatio: 'none', role: 'img', 'aria-label': label},
      rects));
}

/* The table of the same bars: a row for each component. */
function stackTable(bars, caption, unit) {
  const names = [...new Set(bars.flatMap(bar => bar.parts.map(part => part.name)))];
  const columns = [{title: 'component', value: row => row, wrap: true}];
  for (const bar of bars) {
    const of = name => bar.parts.find(part => part.name === name)?.value ?? 0;
    const total = sum(bar.parts.map(part => part.value)) || 1;
    columns.push(numberColumn(bar.title, of, unit), shareColumn('%', name => of(name) / total));
  }
  return table({caption, columns, rows: names, head: 0, state: {sort: 1, down: true}});
}

/* A small bar of one instruction's cycles, as long as its share of the largest. */
function miniStack(parts, largest, colour) {
  const total = sum(parts.map(part => part.value));
  const label = parts.map(part => part.name + ' ' + formatNumber(part.value)).join(', ');
  let x = 0;
  return svg('svg', {class: 'mini', width: 90, height: 12, role: 'img', 'aria-label': label},
    svg('title', {}, label), total > 0 ? parts.map(part => {
      const width = part.value / largest * 90;
      const rect = svg('rect', {x, width, height: 12, class: colour.get(part.name)});
      x += width;
      return rect;
    }) : null);
}

/* Columns over time: series [{name, values, colour}], drawn on each other from below. `labels`: of the columns. */
function timePicture(title, series, labels, unit) {
  const count = labels.length;
  const heights = labels.map((_, n) => sum(series.map(s => s.values[n])));
  const largest = Math.max(...heights, 1e-9);
  const height = 160, bottom = 20, left = 64, width = WIDTH - left;
  const bars = [];
  labels.forEach((label, n) => {
    let y = height;
    for (const s of series) {
      const h = s.values[n] / largest * (height - 10);
      y -= h;
      bars.push(svg('rect', {x: left + n * width / count, y, width: Math.max(width / count - 1, 0.5), height: h,
        class: s.colour}, svg('title', {}, label + ': ' + s.name + ' ' + formatNumber(s.values[n]) + ' ' + unit)));
    }
  });
  const text = (x, y, anchor, words) => svg('text', {x, y, 'text-anchor': anchor}, words);
  return element('figure', {}, element('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': title},
    svg('svg', {class: 'time', viewBox: '0 0 ' + WIDTH + ' ' + (height + bottom), role: 'img',
      'aria-label': title + '; the largest value is ' + formatNumber(largest) + ' ' + unit},
    svg('line', {x1: left, x2: WIDTH, y1: height, y2: height, class: 'axis'}), bars,
    text(left - 6, 20, 'end', formatNumber(largest)), text(left - 6, height, 'end', '0'),
    text(left, height + 16, 'start', labels[0]), text(WIDTH, height + 16, 'end', labels[count - 1]))),
      legendOf(series));
}
