// aside.js - the right side of the overview: health, limits, changes since the mark, tasks, and the busiest functions.

import { el, setAttr, setText, setWidth } from '../../dom.js';
import { busiest, changesSince } from '../../model/busiest.js';
import { contextColours } from '../../model/contextcolour.js';
import { percent, plural } from '../../model/format.js';
import { healthSentence } from '../../model/health.js';
import { notices } from '../../model/notices.js';
import { limitValue } from '../../model/limits.js';
import { middle, shorten, tipOf } from '../../model/names.js';
import { depth } from '../../model/stack.js';
import { taskRows } from '../../model/tasks.js';
import { Asked } from '../../part/asked.js';
import { createPinned } from '../../part/pinned.js';

const [doctorMs, changesMs] = [5000, 2000];
const [changesMost, tasksMost, limitsMost] = [5, 8, 6];
const functionsMost = () => (innerHeight < 1200 ? 8 : 20);
const changeLeast = 0.03;
const nameLetters = 30;
const [limitLetters, brokenLetters] = [26, 18]; // of a limit, and of one beside its worst value

/** A part with a heading; `fill(rows)` shows rows, each a list of cells, and rebuilds them only if `key` changes. */
function createPart(title, note = '') {
  const remark = el('span', { class: 'overview-note' }, note);
  const list = el('ul', { class: 'overview-rows' });
  const root = el('section', { 'aria-label': title }, el('div', { class: 'overview-head' }, el('h2', {}, title), remark), list);
  return {
    root,
    remark,
    fill(key, rows) {
      if (list.dataset.key === key) return;
      list.dataset.key = key;
      list.replaceChildren(...rows().map((cells) => el('li', {}, ...cells)));
    },
  };
}

const link = (text, run, title = null) => el('button', { type: 'button', class: 'link', title, onclick: run }, text);
const functionLink = (host, fn) => link(shorten(fn.name, nameLetters), () => host.go({ view: 'functions', fn: host.profile.labelOf(fn.id) }), tipOf(fn.name));

function bar(share, colour = null) {
  const fill = el('span', { 'data-colour': colour });
  setWidth(fill, share);
  return el('span', { class: 'overview-bar', 'aria-hidden': 'true' }, fill);
}

export function createAside(host) {
  const aside = {
    host,
    doctor: host.fetchDoctor && new Asked(() => host.fetchDoctor(), host.fresh, doctorMs),
    health: createPart('Health'),
    limits: createPart('Limits'),
    pinned: createPart('Pinned', 'longest over time · p50 · p99 · max'),
    pins: createPinned(host),
    mark: createPart('Since the mark', 'per call'),
    tasks: createPart('Tasks', 'load · stack used'),
    busiest: createPart('Busiest functions', 'self'),
    changes: { at: -Infinity, held: null, found: null },
  };
  aside.root = el('div', { class: 'overview-aside' }, ...['health', 'limits', 'pinned', 'mark', 'tasks', 'busiest'].map((part) => aside[part].root));
  aside.pinned.root.append(aside.pins.root);
  return { root: aside.root, update: () => update(aside), mark: () => markNow(host) };
}

function update(aside) {
  showHealth(aside);
  showLimits(aside);
  showPinned(aside);
  showChanges(aside);
  showTasks(aside);
  showBusiest(aside);
}

function showHealth({ host, doctor, health }) {
  doctor?.want(String(Math.floor(performance.now() / doctorMs)));
  const told = notices(host.live, host.answers).filter(({ level }) => level !== 'bad');
  const said = told.length > 0 ? told : [{ title: '', ...healthSentence(host.live, host.answers, doctor?.answer?.findings ?? []) }];
  const details = host.fetchDoctor === null ? [] : [' ', link('Details', () => host.go({ panel: 'link' }))];
  setAttr(health.root, 'data-level', said[0].level);
  health.fill(JSON.stringify(said), () =>
    said.map(({ level, title, text }, i) => [
      el('p', { class: 'overview-health', 'data-level': level }, el('span', { class: 'dot', 'aria-hidden': 'true' }), el('span', {}, el('b', {}, title), ' ', text, ...(i === said.length - 1 ? details : []))),
    ]),
  );
}

function showLimits({ host, limits }) {
  const { limits: rows } = host.live;
  limits.root.hidden = host.openLimits === null;
  const broken = rows.filter(({ breaches }) => breaches > 0);
  setText(limits.remark, broken.length > 0 ? `${broken.length} broken` : '');
  setAttr(limits.remark, 'data-level', broken.length > 0 ? 'bad' : null);
  const shown = [...broken, ...rows.filter(({ breaches }) => !(breaches > 0))].slice(0, limitsMost);
  const worst = (row) => (row.breaches > 0 ? row.worst.value : row.now);
  const key = shown.map((row) => [row.limit, row.state, row.breaches, worst(row)].join(' ')).join('\n');
  const add = [link(rows.length > 0 ? 'All limits' : 'Add a limit', () => host.openLimits(null))];
  limits.fill(`${key}|${rows.length}`, () => [
    ...shown.map((row) => [
      // The end has the value, which distinguishes limits of one function.
      link(middle(row.limit, worst(row) === null ? limitLetters : brokenLetters, 0.6), () => host.openLimits(null), `${tipOf(row.limit)}: open the limits`),
      el('strong', {}, worst(row) === null ? '' : limitValue(worst(row), row.unit)),
      el('span', { class: 'badge', 'data-level': row.breaches > 0 ? 'bad' : null }, row.breaches > 0 ? `broken ${row.breaches} ×` : row.state === 'kept' ? 'kept' : 'no call yet'),
    ]),
    add,
  ]);
}

function showPinned({ host, pinned, pins }) {
  const { pinned: labels, strip } = host.place;
  const { remark } = pinned;
  remark.hidden = labels.length === 0;
  pins.update();
  const everywhere = () => link(strip ? 'Only here' : 'Show below the header, too', () => host.go({ strip: !strip }, { replace: true }), 'Below the header (Shift+W)');
  pinned.fill(`${labels.length > 0} ${strip}`, () => [[labels.length > 0 ? everywhere() : el('span', { class: 'overview-note' }, 'Choose a function and press p.')]]);
}

/** The largest changes, computed every two seconds at most. */
function findChanges({ host, changes }) {
  const { held } = host.base;
  const now = performance.now();
  if (changes.held === held && now - changes.at < changesMs) return changes.found;
  const since = held.kind === 'mark' && held.run === host.run && !held.ranged && host.place.range === '';
  const found = changesSince(host.asShown(held.profile), host.profile, changeLeast, since);
  Object.assign(changes, { at: now, held, found });
  return found;
}

const markNow = (host) => host.profile.loaded && host.base.mark(host.measured, host.run, host.place.range !== '');

const signed = (ratio) => `${ratio > 1 ? '+' : '−'}${percent(Math.abs(ratio - 1))}`;

function showChanges(aside) {
  const { host, mark } = aside;
  mark.root.hidden = host.base === null || !host.views.includes('compare');
  if (mark.root.hidden) return;
  const compare = (text) => link(text, () => host.go({ view: 'compare' }));
  if (host.base.held === null) {
    mark.fill('none', () => [[el('span', {}, link('Mark now', () => markNow(host)), ' or ', compare('compare with a file'), '.')]]);
    return;
  }
  const { rows, others } = findChanges(aside);
  const shown = rows.slice(0, changesMost);
  mark.fill(JSON.stringify([shown, rows.length, others]), () => [
    ...shown.map(({ name, id, ratio }) => [functionLink(host, { name, id }), el('strong', { 'data-trend': ratio > 1 ? 'more' : 'less' }, signed(ratio))]),
    [el('span', { class: 'overview-note' }, rows.length > changesMost ? `${rows.length - changesMost} more` : `${plural(others, 'function')} as before, or within noise`), compare('Compare')],
  ]);
}

function showTasks({ host, tasks }) {
  const rows = taskRows(host.profile, null).filter(({ isIdle }) => !isIdle);
  tasks.root.hidden = rows.length === 0;
  const shown = rows.sort((a, b) => b.load - a.load || a.id - b.id).slice(0, tasksMost);
  const most = Math.max(...shown.map(({ load }) => load ?? 0), 1e-9);
  const colours = contextColours(host.whole);
  tasks.fill(JSON.stringify(shown.map(({ name, load, stack }) => [name, percent(load), stack])) + rows.length, () => [
    ...shown.map(({ id, name, load, stack, isLeast }) => [
      el('span', { class: 'overview-name' }, el('span', { class: 'context-sign', 'data-colour': String(colours.get(id) ?? 6), 'aria-hidden': 'true' }), link(shorten(name, nameLetters), () => host.go({ view: 'tasks' }), tipOf(name))),
      bar(load / most, String(colours.get(id) ?? 6)),
      el('strong', {}, percent(load)),
      el('span', { class: 'overview-cell' }, stack === null ? '' : depth(stack, isLeast)),
    ]),
    ...(rows.length > tasksMost ? [[link(`${rows.length - tasksMost} more`, () => host.go({ view: 'tasks' }))]] : []),
  ]);
}

function showBusiest({ host, busiest: part }) {
  const rows = busiest(host.profile, functionsMost());
  part.root.hidden = rows.length === 0;
  const most = Math.max(...rows.map(({ share }) => share), 1e-9);
  part.fill(JSON.stringify(rows.map(({ fn, share }) => [fn.id, fn.name, percent(share)])), () =>
    rows.map(({ fn, share }) => [functionLink(host, fn), bar(share / most), el('strong', {}, percent(share))]),
  );
}
