// cycles.js - the last calls of a periodic function overlaid from their starts, like an oscilloscope with persistence:
// more opaque where more of them ran, the longest outlined, limits as lines.

import { el, setAttr, setText } from '../../dom.js';
import { contextColours } from '../../model/contextcolour.js';
import { cyclesMost, cyclesOf, cyclesStretch, limitLines } from '../../model/cycles.js';
import { duration, plural } from '../../model/format.js';
import { words as callWords } from '../../model/longest.js';
import { readRange } from '../../model/range.js';
import { Asked } from '../asked.js';
import { fitted } from '../fitted.js';

const [rowsMost, callsMost, everyMs, leastCycles] = [24, 20000, 2000, 2];
const rowPx = 18; // as in functions.css
const strongest = 20; // cycles; with more, one alone could not be seen

/** `choose(id)` is called for the function of a row, `lead(call)` to go to a call on the timeline. */
export function createCycles(host, choose, lead) {
  const [title, names, spreads] = [el('h2', { class: 'part-title' }), el('ul', { class: 'cycle-names' }), el('ul', { class: 'cycle-names cycle-spreads', title: 'How far the ends of its calls are apart over the cycles, to both sides; “in one”: it ran in one of them only' })];
  const canvas = el('canvas', { class: 'cycle-plot', role: 'img' });
  const worst = el('button', { type: 'button', class: 'link', title: 'Show it on the timeline' });
  const [start, end, note] = [el('span'), el('span'), el('p', { class: 'edges-none' })];
  const said = el('p', { class: 'overtime-said' }, 'Stronger colour: more cycles. Outlined: the longest, ', el('span', { class: 'overtime-end' }, worst, '.'));
  const axis = el('div', { class: 'histogram-axis', 'aria-hidden': 'true' }, start, end);
  const root = el('section', { class: 'cycles', hidden: true }, title, el('div', { class: 'cycle-rows' }, names, canvas, spreads, axis), said, note);
  const state = { host, choose, root, title, names, spreads, canvas, worst, start, end, note, made: null };
  worst.addEventListener('click', () => state.made !== null && lead(state.made.cycles[state.made.worst]));
  state.asked = new Asked((fn, about, held) => fetchCycles(host, fn, about, held), host.fresh, everyMs);
  return {
    root,
    /**
     * `about` identifies the data shown, as in the card; `held` is the buffered range (null: unknown). While calls
     * arrive, the newest are requested again.
     */
    update: (id, about, held) => update(state, id, about, held),
  };
}

/** Requests fewer cycles if the answer has merged calls. */
async function fetchCycles(host, fn, about, { oldest, newest }) {
  const asked = { about, id: fn.id, made: null };
  for (let most = cyclesMost; most >= leastCycles && asked.made === null; most = Math.floor(most / 2)) {
    const part = host.range ?? { from: oldest, to: newest };
    const stretch = cyclesStretch(fn, Math.min(Number(part.to), newest), Math.max(Number(part.from), oldest), most);
    asked.made = cyclesOf(await host.fetchCalls(readRange(stretch), callsMost), fn.id, most);
  }
  return asked;
}

function update(state, id, about, held) {
  const { host, asked, root } = state;
  const fn = host.profile.functions[id];
  if (fn.period_mean_ticks > 0 && held !== null && host.answers) {
    const still = host.paused || host.range !== null;
    asked.want(still ? about : `${about} ${held.newest}`, fn, about, held);
  }
  const { answer } = asked;
  state.made = answer?.about === about && fn.period_mean_ticks > 0 ? answer.made : null;
  root.hidden = (state.made?.cycles.length ?? 0) < leastCycles;
  if (!root.hidden) draw(state, id);
}

function draw(state, id) {
  const { host, made, title, note, canvas, worst } = state;
  const { ticksPerSecond, functions } = host.profile;
  const time = (ticks) => duration(ticks, ticksPerSecond);
  const rows = made.rows.slice(0, rowsMost);
  const longest = made.cycles[made.worst];
  const lines = limitLines(host.live.limits, id, ticksPerSecond);
  const until = Math.max(...made.cycles.map((one) => one.duration), ...lines.map(({ ticks }) => ticks).filter((ticks) => ticks < 3 * longest.duration)) * 1.02;
  setText(title, `Last ${plural(made.cycles.length, 'cycle')}`);
  setText(worst, callWords(longest, host.time));
  setText(state.start, 'start');
  setText(state.end, `+${time(until)}`);
  const more = made.rows.length > rows.length ? `${plural(made.rows.length - rows.length, 'more function')} not shown.` : '';
  const words = [lines.map(({ limit, ticks }) => `Line: limit ${limit}${ticks > until ? ', beyond the edge' : ''}.`).join(' '), more].filter(Boolean).join(' ');
  setText(note, words);
  note.hidden = words === '';
  showRows(state, rows, (row) => [functions[row.fn]?.name ?? '?', new Set(row.calls.map(({ cycle }) => cycle)).size === 1 ? 'in one' : `± ${time((row.to.max - row.to.min) / 2)}`]);
  setAttr(canvas, 'aria-label', `${plural(made.cycles.length, 'cycle')} of ${functions[id].name}, ${time(Math.min(...made.cycles.map((one) => one.duration)))} to ${time(longest.duration)}`);
  paint(state, { rows, lines, until });
}

/** Shows the functions and the spreads of their ends beside the picture. */
function showRows({ names, spreads, choose }, rows, wordsOf) {
  const key = rows.map((row) => `${row.fn} ${row.context} ${row.depth}`).join();
  if (names.dataset.key !== key) {
    names.dataset.key = key;
    names.replaceChildren(...rows.map(({ fn }) => el('li', {}, el('button', { type: 'button', class: 'link', onclick: () => choose(fn) }))));
    spreads.replaceChildren(...rows.map(() => el('li')));
  }
  rows.forEach((row, i) => {
    const [name, spread] = wordsOf(row);
    setText(names.children[i].firstChild, name);
    setText(spreads.children[i], spread);
  });
}

function paint({ canvas, made, host, root }, { rows, lines, until }) {
  const [width, height] = [canvas.clientWidth, rows.length * rowPx];
  canvas.style.height = `${height}px`;
  if (width === 0) return;
  const to = fitted(canvas, width, height);
  const style = getComputedStyle(root);
  const colours = contextColours(host.profile);
  const x = (ticks) => (ticks / until) * width;
  rows.forEach((row, i) => {
    to.fillStyle = style.getPropertyValue(`--c${colours.get(row.context) ?? 6}`);
    to.globalAlpha = 1 - 0.05 ** (1 / Math.min(made.cycles.length, strongest)); // opacity is 95 % where that many ran
    for (const { from, to: end } of row.calls) to.fillRect(x(from), i * rowPx + 3, Math.max(x(end) - x(from), 1), rowPx - 6);
    to.globalAlpha = 1;
    to.strokeStyle = style.getPropertyValue('--ink');
    for (const { cycle, from, to: end } of row.calls) if (cycle === made.worst) to.strokeRect(x(from) + 0.5, i * rowPx + 2.5, Math.max(x(end) - x(from) - 1, 1), rowPx - 5);
  });
  to.fillStyle = style.getPropertyValue('--bad');
  for (const { ticks } of lines) if (ticks <= until) to.fillRect(x(ticks) - 1, 0, 2, height);
}
