/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Addresses: "#/VIEW/REST?PARAMETERS". A link changes the address, so the browser's back button works; the state of a
 * table or of a flame graph replaces it. */

const views = {
  '': {title: 'Overview', view: overview},
  'procedures': {title: 'Procedures', view: procedures},
  'procedure': {view: procedure, under: 'procedures', needs: ['code', 'trees']},
  'lines': {title: 'Lines', view: linesView, absent: !hasLines(), needs: ['code']},
  'gains': {title: 'Gains', view: gainsView, absent: !hasGains()},
  'flame': {title: 'Flame graph', view: flames, absent: data.flames.length === 0, needs: ['trees']},
  'time': {title: 'Time line', view: timeLine, absent: !hasTimeLine()},
  'pipeline': {title: 'Pipeline', view: pipelineView, absent: !hasPipeline(), needs: ['pipeline']},
  'stacks': {title: 'Cycle stacks', view: stacks, absent: !data.runs.some(hasStacks)},
  'profilers': {title: 'Profilers', view: profilers},
  'coprocessor': {title: 'Co-processor', view: coprocessor, absent: runsWith('coprocessor').length === 0},
  'cost': {title: 'Cost', view: cost},
  'run': {view: oneRun, under: ''},
};

function route() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const [name, ...rest] = path.split('/');
  return {name, rest, parameters: new URLSearchParams(query || '')};
}

/* Parameters without a value are left out. */
function replaceParameters(parameters) {
  const kept = new URLSearchParams([...parameters].filter(([key, value]) => value !== '' || key === 'events'));
  const query = kept.toString();
  history.replaceState(null, '', location.hash.split('?')[0] + (query ? '?' + query : ''));
}

const main = element('main', {id: 'main', tabindex: -1});

/* Reads parts of the data, then shows the view of the address. */
async function showWith(parts, focus) {
  main.replaceChildren(element('p', {class: 'note'}, 'The data are being read.'));
  try {
    await Promise.all(parts.map(readPacked));
  } catch (error) {
    main.replaceChildren(element('p', {}, 'The data cannot be read: ' + error.message + '. It needs a browser of ' +
      '2023 or later (DecompressionStream).'));
    return;
  }
  show(focus);
}

/* Shows the view of the address; `focus`: the element that keeps the focus. */
function show(focus) {
  const {name, rest, parameters} = route();
  const view = views[name] && !views[name].absent ? views[name] : null;
  const missed = (view?.needs || []).filter(part => packed[part] === null);
  if (missed.length > 0) {
    showWith(missed, focus);
    return;
  }
  main.replaceChildren(...(view ? view.view(rest, parameters) : missing()).flat(Infinity).filter(Boolean));
  const current = view?.under ?? name;
  for (const link of document.querySelectorAll('nav a')) {
    const isCurrent = link.getAttribute('href') === '#/' + current;
    if (isCurrent) {
      link.setAttribute('aria-current', 'page');
      link.parentElement.scrollLeft = link.offsetLeft - link.parentElement.offsetLeft - 8;
    } else {
      link.removeAttribute('aria-current');
    }
  }
  const heading = main.querySelector('h1')?.textContent;
  document.title = (name === '' ? data.store : heading) + ' - pcprof report';
  if (typeof focus === 'string') document.getElementById(focus)?.focus();
}

/* ---- colours ---- */

/* The choice is kept by the browser, if it keeps anything for files. */
function storedTheme(value) {
  try {
    if (value !== undefined) localStorage.setItem('pcprof-theme', value);
    return localStorage.getItem('pcprof-theme');
  } catch (error) {
    return null;
  }
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
}

function themeButton() {
  const button = element('button', {type: 'button', id: 'theme', onclick: () => {
    document.documentElement.dataset.theme = isDark() ? 'light' : 'dark';
    storedTheme(document.documentElement.dataset.theme);
    name();
  }});
  const name = () => { button.textContent = isDark() ? 'Light' : 'Dark'; };
  const stored = storedTheme();
  if (stored === 'dark' || stored === 'light') document.documentElement.dataset.theme = stored;
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', name);
  name();
  return button;
}

/* ---- start ---- */

page.append(
  element('a', {class: 'skip', href: '#main', onclick: event => { event.preventDefault(); main.focus(); }},
    'Skip to content'),
  element('header', {}, element('nav', {'aria-label': 'Views'}, Object.entries(views)
    .filter(([, view]) => view.title && !view.absent)
    .map(([name, view]) => element('a', {href: '#/' + name}, view.title))), helpButton(), themeButton()),
  main, help,
  element('footer', {}, 'Written by pcprof report, ', document.querySelector('meta[name=generator]').content, '.'));
window.addEventListener('hashchange', () => { show(); window.scrollTo(0, 0); });
window.addEventListener('beforeprint', () => { for (const d of document.querySelectorAll('details')) d.open = true; });

/* When all files of the script have run. */
document.addEventListener('DOMContentLoaded', () => { show(); });
