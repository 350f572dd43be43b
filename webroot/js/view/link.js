// link.js - the link in the connection panel: failed checks, plots over time, counters with the time they last grew,
// and the device's settings.

import { el, setAttr, setText } from '../dom.js';
import { bytes, compact } from '../model/format.js';
import { linkCards } from '../model/link.js';
import { writeRange } from '../model/range.js';
import { agoText, pointsOf } from '../model/series.js';
import { createChecks } from './link/checks.js';
import { createPlot } from './link/plot.js';
import { createSettings } from './link/settings.js';

/** By the name of a history column (model/series.js): title, format of values, colour, and value now. */
const plots = {
  bytes: ['Bytes per second', (n) => `${bytes(n)}/s`, '--bar-self', ({ link }) => link.bytes_per_second],
  calls: ['Calls per second', (n) => `${compact(n)}/s`, '--ok', ({ link }) => link.calls_per_second],
  errors: ['Damaged or lost', (n) => `${compact(n)}/s`, '--bad', () => null],
};
const refreshMs = 1000;

function create(host) {
  const view = {
    host,
    plots: Object.entries(plots).map(([name, [title, text, tone, of]]) => ({ name, of, plot: createPlot(title, text, tone) })),
    figures: null, // the figures that the cards show
    checks: createChecks(host),
    settings: createSettings(host),
    measuring: el('p', { class: 'measuring', hidden: true }), // how much measuring slows the program
    cards: el('div', { class: 'cards' }),
    cells: [],
    history: null,
    askedAt: -Infinity, // Infinity: a request is in progress
  };
  const root = el(
    'section',
    { class: 'link-view', 'aria-label': 'Link' },
    view.checks.root,
    view.measuring,
    el('div', { class: 'link-about' }), // filled by the panel with connection facts
    el('div', { class: 'plots' }, ...view.plots.map(({ plot }) => plot.root)),
    view.cards,
    view.settings.root,
  );
  return { root, update: () => update(view), actions: [], summary: () => '', next: () => false };
}

/** Goes to the newest gap on the timeline, or to all of the timeline if there is none. */
async function toGap({ fetchTimeline, go }) {
  const { gaps } = await fetchTimeline(null, 1);
  const i = gaps.from.indexOf(Math.max(...gaps.from));
  const room = i < 0 ? 0 : Math.max(gaps.to[i] - gaps.from[i], 8);
  go({ view: 'timeline', panel: '', at: i < 0 ? 'all' : writeRange(gaps.from[i] - room, gaps.to[i] + room), call: '', spot: '' });
}

/** Creates a card; adds the cells to update to `cells`. */
function createCard(host, cells, { title, rows }) {
  const figures = el('dl');
  for (const { term, tip, of, worry, key } of rows) {
    const value = el('dd');
    const last = el('dd', { class: 'last-at', hidden: true });
    const leads = key === 'records_lost' && host.fetchTimeline !== null;
    const words = leads ? el('button', { type: 'button', class: 'link', onclick: () => toGap(host) }) : last;
    if (leads) last.append(words);
    cells.push({ value, last, words, of, worry, key });
    figures.append(el('div', { title: tip }, el('dt', {}, term), value, last));
  }
  return el('section', { class: 'card' }, el('h2', {}, title), figures);
}

/** Creates the cards for the daemon's figures, which are known after its greeting and differ between daemons. */
function placeCards(view) {
  const { figures } = view.host;
  if (figures === view.figures) return;
  view.figures = figures;
  view.cells = [];
  view.cards.replaceChildren(...linkCards(figures).map((card) => createCard(view.host, view.cells, card)));
}

/** Requests the daemon's history, once a second while the panel is visible. */
async function refresh(view) {
  const { host } = view;
  if (host.fetchHistory === null || !host.answers || performance.now() - view.askedAt < refreshMs) return;
  view.askedAt = Infinity;
  view.history = await host.fetchHistory().catch(() => view.history);
  view.askedAt = performance.now();
  if (!isSeen(view)) return;
  host.redraw();
  setTimeout(() => isSeen(view) && host.redraw(), refreshMs); // the plots must move on without new data, too
}

const isSeen = ({ cards }) => cards.offsetParent !== null;

/** Shows when a counter last grew, unless it grows all the time. */
function showLast({ last, words, key, worry }, history) {
  const at = history?.last_at[key] ?? null;
  const ago = at === null ? 0 : history.now - at;
  last.hidden = at === null || (!worry && ago < 5000);
  if (last.hidden) return;
  setText(words, `${agoText(ago)} ago`);
  setAttr(words, 'title', `It last grew at ${new Date(at).toLocaleString()}${words === last ? '' : ': show the newest gap'}`);
}

function update(view) {
  const { live } = view.host;
  refresh(view);
  placeCards(view);
  view.checks.update();
  view.measuring.hidden = !live.slowdown;
  setText(view.measuring, live.slowdown?.words ?? '');
  view.settings.update();
  for (const { name, plot, of } of view.plots) {
    const points = view.history === null ? [] : pointsOf(view.history, name);
    plot.draw(points, of(live) ?? points.at(-1)?.value ?? null);
  }
  for (const cell of view.cells) {
    const { value, of, worry } = cell;
    showLast(cell, view.history);
    const text = of(live);
    setText(value, text);
    setAttr(value, 'title', text.length > 24 ? text : null);
    setAttr(value, 'data-level', worry && text !== '0' && text !== '–' ? 'warn' : null);
  }
}

export const link = { id: 'link', title: 'Link', create };
