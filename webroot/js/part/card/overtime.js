// overtime.js - a function over time: a band from p50 to p99 and the longest call, or its period with jitter; below,
// the number of calls.

import { el, setAttr, setText } from '../../dom.js';
import { duration } from '../../model/format.js';
import { columnsOf, columnWords, heightOf, nearest, overTimeNote, periodExtremes, shapesOf, stepTo } from '../../model/overtime.js';
import { writeRange } from '../../model/range.js';
import { fitted } from '../fitted.js';

const askEveryMs = 1000;
const [ratePx, gapPx] = [26, 6]; // the height of the calls at the bottom, and of the gap
const helps = { duration: 'Arrow keys select a column, Enter goes to its longest call', period: 'Arrow keys select a column, Enter goes to its time' };
const legends = { duration: 'Line p50, band to p99, dots longest; below, calls.', period: 'Line mean period, band jitter, dots shortest and longest; below, calls.' };

/** `lead(call)` goes to a call on the timeline. */
export function createOverTime(host, lead) {
  const canvas = el('canvas', { class: 'overtime-plot', tabindex: '0', role: 'img', 'aria-describedby': 'overtime-said' });
  const [top, since, until] = [el('span', { class: 'overtime-top' }), el('span'), el('span')];
  const said = el('p', { class: 'overtime-said', id: 'overtime-said', 'aria-live': 'polite' });
  const note = el('p', { class: 'edges-none' });
  const area = el('div', { class: 'overtime-area' }, canvas, top);
  const axis = el('div', { class: 'histogram-axis', 'aria-hidden': 'true' }, since, until);
  const root = el('section', { class: 'overtime' }, el('h2', { class: 'part-title' }, 'Over time'), area, axis, said, note);
  const state = { host, lead, root, canvas, top, since, until, said, note, area, axis };
  Object.assign(state, { about: '', asking: false, askedAt: -Infinity, known: null, columns: [], at: -1, of: 'duration' });
  canvas.addEventListener('pointermove', (event) => point(state, nearest(state.columns, tickAt(state, event.offsetX))));
  canvas.addEventListener('pointerleave', () => point(state, -1));
  canvas.addEventListener('click', () => go(state));
  canvas.addEventListener('keydown', (event) => press(state, event));
  return {
    root,
    /** { oldest, newest }: the buffered range in ticks in the last answer; null until known. */
    get held() {
      return state.known;
    },
    /** `of`: draws 'duration' or 'period' */
    update: (id, about, of) => update(Object.assign(state, { of }), id, about),
  };
}

function point(state, at) {
  if (at === state.at) return;
  state.at = at;
  draw(state);
}

/** Goes to the column's longest call; for periods to all its time, since the daemon does not say which call began the longest. */
function go({ host, columns, at, of, lead }) {
  const column = columns[at];
  if (column === undefined) return;
  if (of === 'period' && column.period !== null) host.go({ view: 'timeline', at: writeRange(column.from, column.to), call: '', spot: '' });
  else lead(column.call);
}

function press(state, event) {
  const to = stepTo(event.key, state.at, state.columns.length);
  if (event.key !== 'Enter' && to === null) return;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.key === 'Enter') go(state);
  else point(state, to);
}

const tickAt = ({ known, canvas }, x) => known.from + (x / Math.max(canvas.clientWidth, 1)) * (known.to - known.from + 1);

/** `about` identifies the data shown for `id`: if it changes, the answer is requested again. */
function update(state, id, about) {
  const { host } = state;
  state.root.hidden = !host.profile.provides('timeline');
  if (state.root.hidden) return;
  const still = host.paused || host.range !== null;
  const due = performance.now() - state.askedAt > askEveryMs && (state.known === null || !still);
  if (state.about !== about) Object.assign(state, { known: null, columns: [], at: -1 });
  if (!state.asking && host.answers && (due || state.about !== about)) ask(state, id, about);
  state.root.hidden = state.known === null;
  if (state.known !== null) draw(state);
}

async function ask(state, id, about) {
  const { host } = state;
  Object.assign(state, { about, asking: true, askedAt: performance.now() });
  // The panel is hidden until there is an answer; its parent has the same width.
  const pixels = Math.min(Math.max(Math.floor((state.root.parentElement?.clientWidth ?? 0) / 2), 60), 2000);
  const answer = await host.fetchOverTime(id, host.range, pixels).catch(() => null);
  state.asking = false;
  if (answer !== null && state.about === about) take(state, answer);
  host.redraw();
}

/** Stores the answer, and keeps the column pointed at, if it still exists. */
function take(state, answer) {
  const pointed = state.columns[state.at];
  state.known = answer;
  state.columns = columnsOf(answer, state.host.profile.ticksPerSecond);
  state.at = pointed === undefined ? -1 : nearest(state.columns, pointed.from);
}

function draw(state) {
  const { known, columns, host, at, of } = state;
  const { ticksPerSecond } = host.profile;
  const words = overTimeNote(known);
  setText(state.note, words);
  state.note.hidden = words === '';
  state.area.hidden = state.axis.hidden = state.said.hidden = columns.length === 0;
  if (columns.length === 0) return;
  const isPeriod = of === 'period' && columns.some(({ period }) => period !== null);
  const shapes = shapesOf(columns, isPeriod ? 'period' : 'duration');
  const scale = heightOf(isPeriod ? periodExtremes(shapes) : columns);
  setText(state.top, `${duration(scale.low, ticksPerSecond)} to ${duration(scale.high, ticksPerSecond)}`);
  setText(state.since, host.time.moment(known.from, known.step));
  setText(state.until, host.time.moment(known.to, known.step));
  setText(state.said, at < 0 ? legends[isPeriod ? 'period' : 'duration'] : columnWords(columns[at], host.time, of));
  const help = helps[isPeriod ? 'period' : 'duration'];
  setAttr(state.canvas, 'title', help);
  setAttr(state.canvas, 'aria-label', `${isPeriod ? 'Periods' : 'Durations'} over time, ${state.top.textContent}. ${help}.`);
  paint(state, scale, shapes);
}

function paint({ canvas, columns, known, at, root }, scale, shapes) {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width === 0) return;
  const to = fitted(canvas, width, height);
  const style = getComputedStyle(root);
  const colour = (name) => style.getPropertyValue(name);
  const x = (tick) => ((tick - known.from) / (known.to - known.from + 1)) * width;
  const bottom = height - ratePx - gapPx;
  const y = (ticks) => bottom - 3 - scale.at(ticks) * (bottom - 8);
  const picture = { to, x, y, height, bottom, colour };
  to.fillStyle = colour('--hatch-ground');
  for (const [from, end] of known.gaps) to.fillRect(x(from), 0, Math.max(x(end) - x(from), 1), height);
  if (columns[at] !== undefined) {
    to.fillStyle = colour('--line');
    to.fillRect(x(columns[at].from), 0, Math.max(x(columns[at].to) - x(columns[at].from), 2), height);
  }
  paintSpread(picture, shapes);
  paintRates(picture, columns);
}

function paintSpread({ to, x, y, colour }, shapes) {
  to.fillStyle = to.strokeStyle = colour('--accent');
  for (const { from, to: end, low, middle, high, dots } of shapes) {
    const wide = Math.max(x(end) - x(from), 1.5);
    to.globalAlpha = 0.3;
    to.fillRect(x(from), y(high), wide, Math.max(y(low) - y(high), 1));
    to.globalAlpha = 1;
    to.fillRect(x(from), y(middle) - 0.75, wide, 1.5);
    for (const one of dots) to.fillRect(x(from) + wide / 2 - 1, y(one) - 1, 2, 2);
  }
}

function paintRates({ to, x, height, bottom, colour }, columns) {
  const most = Math.max(...columns.map(({ rate }) => rate));
  to.fillStyle = colour('--muted');
  for (const { from, to: end, rate } of columns) {
    const high = Math.max((rate / most) * (height - bottom - gapPx), 1);
    to.fillRect(x(from), height - high, Math.max(x(end) - x(from) - 0.5, 1), high);
  }
}
