// load.js - the load of the contexts over time, stacked, with the ranks of the slowest calls above.

import { el, setAttr, setText } from '../../dom.js';
import { contextColours } from '../../model/contextcolour.js';
import { noLoadWords } from '../../model/empty.js';
import { percent } from '../../model/format.js';
import { columnAt, hasCurve, loadCurve } from '../../model/loadcurve.js';
import { Picture } from '../../model/picture.js';
import { writeRange } from '../../model/range.js';
import { rankTexts } from '../../model/slowest.js';
import { processorLoad, taskRows } from '../../model/tasks.js';
import { pointerBox } from '../../model/tipspot.js';
import { Asked } from '../../part/asked.js';
import { fitted } from '../../part/fitted.js';
import { Tip } from '../../part/tip.js';

const [columnPx, headPx, footPx, leftPx, gapPx] = [3, 18, 18, 48, 3];
const rows = 6000; // of the timeline: enough for drawing
const loadColumns = 1000;
const everyMs = 1000;
const atLeastPx = 84; // between two marks of the axis

export function createLoad(host) {
  const load = {
    host,
    asked: new Asked((range) => host.fetchTimeline(range, rows, undefined, loadColumns), host.fresh, everyMs),
    answer: null, // the answer that `picture` shows
    picture: null,
    curve: null,
    wide: 0,
    slowest: [],
    tip: new Tip(),
    figure: el('strong', { class: 'overview-figure' }),
    words: el('span', { class: 'overview-note' }),
    legend: el('ul', { class: 'overview-legend', 'aria-label': 'Contexts' }),
  };
  load.canvas = el('canvas', {
    role: 'img',
    onpointermove: (event) => pointed(load, event),
    onpointerleave: () => load.tip.show(null, null),
    onclick: (event) => lead(load, event),
  });
  load.curveRoot = el('div', { class: 'overview-curve' }, load.canvas);
  load.root = el(
    'section',
    { class: 'overview-load', 'aria-label': 'Load over time' },
    el('div', { class: 'overview-head' }, el('h2', {}, 'Load'), load.figure, load.words),
    load.curveRoot,
    load.legend,
    load.tip.root,
  );
  return { root: load.root, update: (slowest) => update(load, slowest) };
}

function update(load, slowest) {
  const { host } = load;
  load.root.hidden = host.fetchTimeline === null || !host.profile.provides('timeline');
  if (load.root.hidden) return;
  load.asked.want(`${host.place.range}|${host.paused}|${host.whole.sequence}`, host.range);
  if (load.asked.answer !== load.answer) {
    load.answer = load.asked.answer;
    load.picture = new Picture(load.answer);
  }
  load.slowest = slowest;
  // Without a curve there is only the reason; its space is the flame graph's.
  const isEmpty = load.picture !== null && !hasCurve(load.picture);
  load.curveRoot.hidden = load.legend.hidden = isEmpty;
  setAttr(load.root, 'data-empty', isEmpty ? '' : null);
  if (isEmpty) load.curve = null;
  if (isEmpty) showWords(load);
  else draw(load);
}

const nameOf = ({ whole }, id) => whole.contexts.get(id)?.name || `Context ${id}`;
const xOf = ({ curve, plot }, ticks) => leftPx + ((ticks - curve.from) / Math.max(curve.to - curve.from, 1)) * plot;

function draw(load) {
  const { canvas, host } = load;
  const { clientWidth: width, clientHeight: height } = load.curveRoot;
  if (width < leftPx + 40) return;
  load.plot = width - leftPx;
  load.wide = Math.max(Math.floor(load.plot / columnPx), 1);
  load.curve = load.picture && loadCurve(load.picture, load.wide, host.whole);
  const context = fitted(canvas, width, height);
  showWords(load);
  if (load.curve === null) return;
  const style = getComputedStyle(load.root);
  const tone = (name) => style.getPropertyValue(name).trim();
  context.font = `11px ${tone('--sans')}`;
  const bottom = height - footPx;
  drawScale(load, context, tone, width, bottom);
  drawBands(load, context, tone, bottom);
  drawRanks(load, context, tone, bottom);
  showLegend(load);
}

function drawScale(load, context, tone, width, bottom) {
  const { curve, host } = load;
  context.textBaseline = 'middle';
  for (const part of curve.top > 0 ? [0, 0.5, 1] : []) {
    const y = Math.round(bottom - part * (bottom - headPx)) + 0.5;
    context.fillStyle = tone('--line');
    context.fillRect(leftPx, y - 0.5, width - leftPx, 1);
    context.fillStyle = tone('--muted');
    context.textAlign = 'right';
    if (part > 0) context.fillText(percent(part * curve.top), leftPx - 6, y);
  }
  context.textAlign = 'center';
  context.textBaseline = 'alphabetic';
  let free = 0;
  for (const { ticks, text } of host.time.marks(curve.from, curve.to, atLeastPx / load.plot).marks) {
    const half = context.measureText(text).width / 2;
    const x = Math.min(Math.max(xOf(load, ticks), leftPx + half), width - half);
    if (x - half < free) continue;
    context.fillText(text, x, bottom + 14);
    free = x + half + 8;
  }
}

function drawBands(load, context, tone, bottom) {
  const { curve, wide, host } = load;
  const colours = contextColours(host.whole);
  const perShare = curve.top > 0 ? (bottom - headPx) / curve.top : 0;
  const bottoms = new Float64Array(wide).fill(bottom);
  for (const { context: id, ran } of [...curve.bands].reverse()) {
    context.fillStyle = tone(`--c${colours.get(id) ?? 6}`);
    for (let i = 0; i < wide; i++) {
      const h = Math.min(ran[i] * perShare, bottoms[i] - headPx);
      if (!(h > 0)) continue;
      bottoms[i] -= h;
      context.fillRect(leftPx + (i * load.plot) / wide, bottoms[i], load.plot / wide + 0.3, h);
    }
  }
  // A gap, as in a broken bar: the column is higher than the scale.
  for (let i = 0; i < wide; i++) if (curve.isOver(i)) context.clearRect(leftPx + (i * load.plot) / wide, headPx + gapPx, load.plot / wide + 0.3, gapPx);
}

/** Draws the ranks of the slowest calls at their times; those without room of their own share a text. */
function drawRanks(load, context, tone, bottom) {
  const right = leftPx + load.plot;
  const marks = load.slowest.map(({ start }, i) => ({ x: xOf(load, start), rank: i + 1 })).filter(({ x }) => x >= leftPx && x <= right);
  context.fillStyle = tone('--ink');
  for (const { x } of marks) {
    context.globalAlpha = 0.45;
    context.fillRect(Math.round(x), headPx - 4, 1, bottom - headPx + 4);
    context.globalAlpha = 1;
    context.beginPath();
    context.moveTo(x - 4, 6);
    context.lineTo(x + 5, 6);
    context.lineTo(x + 0.5, 13);
    context.fill();
  }
  context.textAlign = 'left';
  for (const { text, x } of rankTexts(marks, right, (text) => context.measureText(text).width)) context.fillText(text, x, 13);
}

// --- texts

function showWords({ curve, picture, figure, words, canvas, host }) {
  const { all } = processorLoad(host.measured, host.whole, null);
  const mean = all === null ? '' : percent(all);
  setText(figure, mean);
  figure.hidden = mean === '';
  setText(words, curve === null ? (picture === null ? '' : noLoadWords(host.profile)) : `${all === null ? '' : `${host.range === null ? 'over all' : 'in this range'} · `}peak ${percent(curve.most)} at ${host.time.moment(curve.mostAt, (curve.to - curve.from) / 100)}`);
  setAttr(canvas, 'aria-label', curve === null ? 'No load is known yet' : `Load of ${curve.bands.length} contexts over time: ${mean === '' ? '' : `${mean} on average, `}${percent(curve.most)} at most`);
}

function showLegend({ curve, legend, host }) {
  const colours = contextColours(host.whole);
  const loads = new Map(taskRows(host.profile, null).map(({ id, load: share }) => [id, share]));
  const bands = curve.bands.map(({ context, share }) => ({ context, share: loads.get(context) ?? share }));
  const key = bands.map(({ context, share }) => `${context} ${percent(share)} ${nameOf(host, context)}`).join('\n');
  if (legend.dataset.key === key) return;
  legend.dataset.key = key;
  legend.replaceChildren(
    ...bands.slice(0, 12).map(({ context, share }) =>
      el(
        'li',
        {},
        el('span', { class: 'context-sign', 'data-colour': String(colours.get(context) ?? 6), 'aria-hidden': 'true' }),
        el('bdi', {}, nameOf(host, context)),
        el('strong', {}, percent(share)),
      ),
    ),
  );
}

// --- pointer

const columnOf = (load, { offsetX }) => (load.curve === null ? null : columnAt(load.curve, load.wide, (offsetX - leftPx) / load.plot));

function pointed(load, event) {
  const column = columnOf(load, event);
  if (column === null) return;
  const { host } = load;
  const names = column.parts.slice(0, 4).map(({ context, share }) => `${nameOf(host, context)} ${percent(share)}`);
  load.tip.show({ id: column.from, title: `Load ${percent(column.total)}`, text: [host.time.moment(column.from, column.to - column.from), ...names].join(' · ') }, pointerBox({ x: event.clientX, y: event.clientY }));
}

/** Goes to that time on the timeline, with a margin. */
function lead(load, event) {
  const column = columnOf(load, event);
  if (column === null) return;
  const room = 2 * (column.to - column.from);
  load.tip.show(null, null);
  load.host.go({ view: 'timeline', at: writeRange(Math.max(column.from - room, 0), column.to + room), call: '', spot: '' });
}
