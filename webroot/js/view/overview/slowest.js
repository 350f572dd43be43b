// slowest.js - the slowest calls of all functions, with reasons.

import { el, setAttr, setText } from '../../dom.js';
import { contextColours } from '../../model/contextcolour.js';
import { noSlowCallWords } from '../../model/empty.js';
import { cellDuration, count } from '../../model/format.js';
import { contextName } from '../../model/lanes.js';
import { shorten, tipOf } from '../../model/names.js';
import { placeOfCall } from '../../model/range.js';
import { partsOf, reasonOf, usualOf } from '../../model/slowest.js';
import { Asked } from '../../part/asked.js';

const everyMs = 2000;
const nameLetters = 34;
const headings = [
  ['rank', '', 'Rank, as in the curve above'],
  ['name', 'Function', ''],
  ['took', 'Took', 'How long the call took'],
  ['usual', 'p99', 'p99 of the function; with few calls, twice its p50'],
  ['parts', 'Ran, preempted, blocked', 'Solid: ran; striped: preempted; line: blocked'],
  ['why', 'Why', ''],
  ['at', 'At', 'Its start; click to show it on the timeline'],
];

export function createSlowest(host) {
  const slowest = { host, asked: new Asked((range) => host.fetchSlowest(range), host.fresh, everyMs), rows: [], calls: [] };
  slowest.body = el('tbody');
  slowest.none = el('p', { class: 'overview-none', hidden: true });
  slowest.table = el(
    'table',
    { class: 'slowest' },
    el('thead', {}, el('tr', {}, ...headings.map(([id, title, tip]) => el('th', { class: `slow-${id}`, scope: 'col', title: tip || null }, title || el('span', { class: 'hidden' }, 'Rank'))))),
    slowest.body,
  );
  slowest.root = el(
    'section',
    { class: 'overview-slowest', 'aria-label': 'Slowest calls' },
    el('div', { class: 'overview-head' }, el('h2', {}, 'Slowest calls'), el('span', { class: 'overview-note' }, 'worst of each function in the time shown, by time over its p99')),
    slowest.table,
    slowest.none,
  );
  return {
    root: slowest.root,
    /** Returns the listed calls. */
    update: () => update(slowest),
    /** Goes to the first of them on the timeline; false if there is none. */
    first: () => slowest.calls.length > 0 && goTo(host, slowest.calls[0]),
  };
}

function goTo(host, call) {
  host.go({ ...placeOfCall(call), spot: '' });
  return true;
}

function createRow(slowest, i) {
  const link = (run) => el('button', { type: 'button', class: 'link', onclick: () => run(slowest.calls[i]) });
  const sign = el('span', { class: 'context-sign' });
  const { host } = slowest;
  const cells = {
    rank: el('td', { class: 'slow-rank' }, String(i + 1)),
    took: el('td', { class: 'slow-took' }),
    usual: el('td', { class: 'slow-usual' }),
    bar: el('span', { class: 'split-bar', role: 'img' }),
    head: el('strong'),
    rest: el('span'),
    sign,
    name: link((call) => host.go({ view: 'functions', fn: host.profile.labelOf(call.function) })),
    at: link((call) => goTo(host, call)),
  };
  cells.root = el(
    'tr',
    {},
    cells.rank,
    el('th', { class: 'slow-name', scope: 'row' }, sign, cells.name),
    cells.took,
    cells.usual,
    el('td', { class: 'slow-parts' }, cells.bar),
    el('td', { class: 'slow-why' }, cells.head, ' ', cells.rest),
    el('td', { class: 'slow-at' }, cells.at),
  );
  slowest.body.append(cells.root);
  return cells;
}

const kinds = { ran: 'ran', preempted: 'preempted', blocked: 'blocked' };

function showBar(bar, call, colours) {
  const parts = partsOf(call);
  const key = JSON.stringify(parts);
  if (bar.dataset.key === key) return;
  bar.dataset.key = key;
  const words = Object.keys(kinds).map((kind) => [kind, parts.filter((part) => part.kind === kind).reduce((sum, { share }) => sum + share, 0)]);
  setAttr(bar, 'aria-label', parts.length === 0 ? 'Not known' : words.map(([kind, share]) => `${kind} ${Math.round(100 * share)} %`).join(', '));
  bar.replaceChildren(
    ...parts.map(({ kind, share, context }) => {
      const part = el('span', { class: `split-${kind}`, 'data-colour': String(colours.get(context) ?? 6) });
      part.style.flexGrow = share.toFixed(4);
      return part;
    }),
  );
}

function showRow(slowest, cells, call, colours) {
  const { host } = slowest;
  const { profile } = host;
  const { ticksPerSecond } = profile;
  const name = profile.functions[call.function]?.name ?? '';
  const { head, rest } = reasonOf(call, profile);
  cells.root.hidden = false;
  setAttr(cells.sign, 'data-colour', String(colours.get(call.context) ?? 6));
  setAttr(cells.sign, 'title', contextName(profile.contexts.get(call.context), call.context));
  setText(cells.name, shorten(name, nameLetters));
  setAttr(cells.name, 'title', tipOf(name));
  setText(cells.took, cellDuration(call.duration, ticksPerSecond));
  setText(cells.usual, cellDuration(call.usual_ticks, ticksPerSecond));
  setAttr(cells.usual, 'title', usualOf(call));
  showBar(cells.bar, call, colours);
  setText(cells.head, head);
  setText(cells.rest, rest);
  setText(cells.at, host.time.moment(call.start, (ticksPerSecond ?? 0) / 1000));
}

function update(slowest) {
  const { host, asked, rows } = slowest;
  slowest.root.hidden = host.fetchSlowest === null || !host.profile.provides('timeline');
  if (slowest.root.hidden) return [];
  asked.want(`${host.place.range}|${host.paused}|${host.whole.sequence}`, host.range);
  const answer = asked.answer;
  const calls = (answer?.calls ?? []).filter((call) => host.profile.functions[call.function]);
  slowest.calls = calls;
  const colours = contextColours(host.whole);
  calls.forEach((call, i) => showRow(slowest, (rows[i] ??= createRow(slowest, i)), call, colours));
  for (const { root } of rows.slice(calls.length)) root.hidden = true;
  slowest.table.hidden = calls.length === 0;
  slowest.none.hidden = answer === null || calls.length > 0;
  if (!slowest.none.hidden) setText(slowest.none, noSlowCallWords(host.profile));
  setAttr(slowest.root, 'data-count', count(calls.length));
  return calls;
}
