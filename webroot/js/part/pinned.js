// pinned.js - pinned functions: p50, p99 and max, the longest call over time, and limits.

import { el, setAttr, setText } from '../dom.js';
import { cellDuration, dash, plural } from '../model/format.js';
import { shorten, tipOf } from '../model/names.js';
import { callOf, longestOver, pinnedRows, togglePin } from '../model/pinned.js';
import { placeOfCall } from '../model/range.js';
import { Asked } from './asked.js';
import { createSpark } from './spark.js';

const [everyMs, columns, nameLetters] = [2000, 60, 26];

/** { root, update() }: a list with a row for each. It requests data only in update(). */
export function createPinned(host) {
  const list = { host, rows: [], root: el('ul', { class: 'pinned-rows' }) };
  return { root: list.root, update: () => updatePinned(list) };
}

function createPinnedRow({ host, root }) {
  const row = { told: null, spark: createSpark() };
  row.asked = host.fetchOverTime && new Asked((id, range) => host.fetchOverTime(id, range, columns), host.fresh, everyMs);
  row.name = el('button', { type: 'button', class: 'link', onclick: () => row.told.id >= 0 && host.go({ view: 'functions', fn: row.told.label }) });
  for (const figure of ['p50', 'p99']) row[figure] = el('span');
  row.max = el('button', { type: 'button', class: 'link', onclick: () => host.go(placeOfCall(row.call)) });
  row.limit = el('button', { type: 'button', class: 'badge', onclick: () => host.openLimits(null) });
  row.end = el('button', { type: 'button', class: 'pinned-end', onclick: () => host.go({ pinned: togglePin(host.place.pinned, row.told.label) }, { replace: true }) }, '×');
  const figure = (term, node) => el('span', { class: 'pinned-figure' }, el('span', { class: 'pinned-term' }, term), ' ', node);
  row.root = el('li', {}, el('span', { class: 'pinned-head' }, row.name, row.limit, row.end), row.spark.root, figure('p50', row.p50), figure('p99', row.p99), figure('max', row.max));
  root.append(row.root);
  return row;
}

function updatePinned(list) {
  const { host, rows } = list;
  const told = pinnedRows(host.place.pinned, host.profile, host.live.limits);
  told.forEach((one, i) => showPinned(host, (rows[i] ??= createPinnedRow(list)), one));
  for (const { root } of rows.slice(told.length)) root.hidden = true;
}

function showPinned(host, row, told) {
  const { ticksPerSecond } = host.profile;
  const isOther = row.told?.id !== told.id;
  row.told = told;
  row.root.hidden = false;
  if (isOther && row.asked) row.asked.answer = null;
  if (told.id >= 0 && host.answers) row.asked?.want(`${told.id}|${host.place.range}|${host.paused}|${host.whole.sequence}`, told.id, host.range);
  setText(row.name, shorten(told.label, nameLetters));
  setAttr(row.name, 'title', told.id < 0 ? `There is no ${told.label} here` : tipOf(told.label));
  const worded = (ticks) => (ticks === null ? dash : cellDuration(ticks, ticksPerSecond));
  for (const figure of ['p50', 'p99', 'max']) setText(row[figure], worded(told[figure]));
  const answer = row.asked?.answer ?? null;
  row.call = answer === null ? null : callOf(answer, told.max);
  row.max.disabled = row.call === null;
  const values = answer === null ? [] : longestOver(answer);
  row.spark.show(values, Math.max(...values, 0), `Longest call over time: up to ${worded(Math.max(...values, 0) || null)}`);
  row.limit.hidden = told.limits.length === 0 || host.openLimits === null;
  setText(row.limit, told.isBroken ? 'broken' : plural(told.limits.length, 'limit'));
  setAttr(row.limit, 'title', told.limits.map(({ limit }) => limit).join('\n'));
  setAttr(row.limit, 'data-level', told.isBroken ? 'bad' : null);
  setAttr(row.end, 'aria-label', `Unpin ${told.label}`);
}
