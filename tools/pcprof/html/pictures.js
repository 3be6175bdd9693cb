/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures as SVG, each with the numbers in a table or in its label: cycle stacks as bars, time lines. */

const WIDTH = 960;

/* Bars of one length, each a stack of components: bars [{title, parts: [{name, value}]}]. */
function stackPicture(bars, unit) {
  const names = [...new Set(bars.flatMap(bar => bar.parts.map(part => part.name)))];
  return element('figure', {class: 'stacks'}, bars.map(bar => stackRow(bar, unit)), legendOf(names));
}

/* The colours of components. */
function legendOf(names) {
  const entries = new Map();
  for (const name of names.sort((a, b) => orderOf(a) - orderOf(b))) {
    const colour = colourOf(name);
    entries.set(colour, {colour, name: colour === 'colour-signature-' + SIGNATURE_COLOURS ? 'others' : name});
  }
  return coloursLegend([...entries.values()]);
}

/* The names of colours, for eyes only: labels and tables have them too. */
function coloursLegend(entries) {
  return element('ul', {class: 'legend', 'aria-hidden': 'true'}, entries.map(entry => element('li', {},
    svg('svg', {width: 12, height: 12}, svg('rect', {width: 12, height: 12, class: entry.colour})), ' ', entry.name)));
}

/* The rectangles of a stack from the left, `scale` units wide for each of its values. */
function stackRects(parts, scale, height, titleOf) {
  let x = 0;
  return parts.slice().sort((a, b) => orderOf(a.name) - orderOf(b.name)).map(part => {
    const rect = svg('rect', {x, width: part.value * scale, height, class: colourOf(part.name)},
      svg('title', {}, titleOf(part)));
    x += part.value * scale;
    return rect;
  });
}

function stackRow(bar, unit) {
  const total = sum(bar.parts.map(part => part.value)) || 1;
  const label = bar.title + ': ' + bar.parts.map(part => part.name + ' ' + formatShare(part.value / total, 1) + ' %')
    .join(', ');
  return element('div', {class: 'bar'}, element('span', {class: 'bar-title'}, bar.title),
    svg('svg', {viewBox: '0 0 ' + WIDTH + ' 28', preserveAspectRatio: 'none', role: 'img', 'aria-label': label},
      stackRects(bar.parts, WIDTH / total, 28, part => part.name + ': ' + formatNumber(part.value) + ' ' + unit + ', ' +
        formatShare(part.value / total) + ' %')));
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

/* A bar in a cell of a table, as long as its share of the largest. */
function cellStack(parts, largest, name, width, height) {
  const label = parts.map(part => part.name + ' ' + formatNumber(part.value)).join(', ');
  return svg('svg', {class: name, viewBox: '0 0 ' + width + ' ' + height, preserveAspectRatio: 'none', role: 'img',
    'aria-label': label}, svg('title', {}, label),
  stackRects(parts, width / largest, height, part => part.name + ' ' + formatNumber(part.value)));
}

function miniStack(parts, largest) {
  return cellStack(parts, largest, 'mini', 90, 12);
}

function barOf(parts, largest) {
  return cellStack(parts, largest, 'wide', 400, 16);
}

/* A bar of heat: a share of the largest value. */
function heatBar(share) {
  return svg('svg', {class: 'mini', viewBox: '0 0 90 12', preserveAspectRatio: 'none', 'aria-hidden': 'true'},
    svg('rect', {width: share * 90, height: 12, class: 'bar-' + (heatOf(share) || 'heat-0')}));
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
        class: colourOf(s.name)}, svg('title', {}, label + ': ' + s.name + ' ' + formatNumber(s.values[n]) + ' ' +
          unit)));
    }
  });
  const text = (x, y, anchor, words) => svg('text', {x, y, 'text-anchor': anchor}, words);
  return element('figure', {}, element('div', {class: 'scroll', tabindex: 0, role: 'region',
    'aria-label': title + ', picture'},
    svg('svg', {class: 'time', viewBox: '0 0 ' + WIDTH + ' ' + (height + bottom), role: 'img',
      'aria-label': title + '; the largest value is ' + formatNumber(largest) + ' ' + unit},
    svg('line', {x1: left, x2: WIDTH, y1: height, y2: height, class: 'axis'}), bars,
    text(left - 6, 20, 'end', formatNumber(largest)), text(left - 6, height, 'end', '0'),
    text(left, height + 16, 'start', labels[0]), text(WIDTH, height + 16, 'end', labels[count - 1]))),
      legendOf(series.map(s => s.name)));
}
