// limits.js - the limits: a badge in the header, and the dialog in which they are set, looked at and taken away.

import { button, el, setAttr, setText } from '../dom.js';
import { absentMoment } from '../model/absence.js';
import { breachCall, breachPlace, keptOf, keptWords, limitBegun, limitsBadge, limitWords, newlyBroken } from '../model/limits.js';
import { openDialog } from '../part/dialog.js';

/** on: { api, toast, live, go(place), time (frame/time.js) }. Answers { badge, learn(figures that can be limited), update(), actions, begin(fn): opens them, with one of that function begun unless it is null }. */
export function createLimits(on) {
  const limits = { on, figures: [], dialog: null, shown: '', broken: null, clearing: 0 };
  limits.badge = el('button', { type: 'button', class: 'badge limits-badge', hidden: true, onclick: () => open(limits) });
  return {
    badge: limits.badge,
    learn: (figures) => (limits.figures = figures),
    update: () => update(limits),
    begin: (fn) => open(limits, fn === null ? '' : limitBegun(on.live, fn)),
    actions: [{ keys: ['Shift+L'], label: 'Limits: set them, see which are broken', group: 'Everywhere', run: () => open(limits) }],
  };
}

function update(limits) {
  const { badge, dialog, on } = limits;
  const shown = limitsBadge(on.live);
  badge.hidden = shown === null;
  setText(badge, shown?.words ?? '');
  setAttr(badge, 'data-level', shown?.level ?? null);
  setAttr(badge, 'title', shown === null ? null : `${shown.tip}. Opens the limits (Shift+L).`);
  if (on.live.loaded) tellBroken(limits);
  if (dialog !== null) fill(limits);
}

/** Says once of each limit that it was broken; not of those that were when the page was opened. */
function tellBroken(limits) {
  const { live, toast } = limits.on;
  if (limits.clearing !== live.clearing) limits.broken = limits.broken && new Set();
  limits.clearing = live.clearing;
  for (const row of limits.broken === null ? [] : newlyBroken(live, limits.broken)) toast('bad', 'A limit was broken', `${row.limit}. ${limitWords(row)}.`);
  limits.broken = new Set(live.limits.filter((row) => row.breaches > 0).map((row) => row.id));
}

function open(limits, begun = '') {
  const input = el('input', { id: 'limit', type: 'text', placeholder: 'control_cycle:p99<500us', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', 'aria-describedby': 'limit-hint limit-error' });
  const error = el('output', { id: 'limit-error', for: 'limit' });
  const form = el(
    'form',
    { class: 'limit-form' },
    el('label', { for: 'limit' }, 'New limit'),
    input,
    el('button', { type: 'submit', class: 'button primary' }, 'Set'),
    el('p', { id: 'limit-hint' }, `FUNCTION:FIGURE<VALUE; a figure is ${limits.figures.join(', ')}. A period may be 50us±5us.`),
    error,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    set(limits, input, error);
  });
  limits.list = el('ul', { class: 'limit-list', 'aria-label': 'Limits' });
  limits.kept = el('p', { class: 'limit-kept' });
  limits.shown = null;
  limits.dialog = openDialog('Limits', el('div', { class: 'limits' }, limits.list, form, limits.kept), { className: 'limits-dialog' });
  limits.dialog.addEventListener('close', () => (limits.dialog = null));
  fill(limits);
  input.value = begun; // the cursor goes behind it
  input.focus();
}

async function set({ on }, input, error) {
  try {
    await on.api.setLimit(input.value);
    input.value = '';
    setText(error, '');
  } catch (problem) {
    setText(error, problem.message);
  }
  setAttr(input, 'aria-invalid', error.textContent === '' ? null : 'true');
}

/** Rows are made anew when another limit comes or goes; else only their words change, and the focus stays. */
function fill(limits) {
  const rows = limits.on.live.limits;
  const shown = JSON.stringify(rows.map((row) => [row.id, row.worst === null]));
  if (shown !== limits.shown) {
    limits.shown = shown;
    limits.list.replaceChildren(...(rows.length > 0 ? rows.map((row) => createRow(limits, row)) : [el('li', { class: 'none' }, 'No limit is set.')]));
  }
  rows.forEach((row, i) => {
    const item = limits.list.children[i];
    setAttr(item, 'data-state', row.state);
    setText(item.querySelector('.limit-words'), limitWords(row));
  });
  setText(limits.kept, keptWords(limits.on.live));
}

function createRow(limits, { id, limit, worst }) {
  const remove = button('close', `Take ${limit} away`, () => end(limits, id), { iconOnly: true });
  const show = el('button', { type: 'button', class: 'button', onclick: () => goToWorst(limits, id) }, 'Show the worst');
  return el('li', {}, el('code', {}, limit), el('span', { class: 'limit-words' }), worst === null ? null : show, remove);
}

async function end({ on }, id) {
  try {
    await on.api.endLimit(id);
  } catch (problem) {
    on.toast('bad', `Limit: ${problem.title}`, problem.message);
  }
}

/** Its call is selected there; what is not held any more is told, and where it was kept. */
async function goToWorst({ on, dialog }, id) {
  const { live, time } = on;
  const { limit, worst, function: fn } = live.limits.find((one) => one.id === id);
  dialog.close();
  // Should that fail, the timeline says why.
  const held = await on.api.fetchTimeline({ from: worst.from, to: worst.from }, 1000).then(time.learn, () => null);
  const known = { held, time: time.now, state: live.source.state, kept: keptOf(live, worst) };
  const words = (held?.oldest ?? null) === null ? '' : absentMoment({ from: worst.from, to: worst.ticks }, known);
  if (words !== '') on.toast('bad', `The worst of ${limit}`, words);
  else on.go({ view: 'timeline', at: breachPlace(worst, live.ticksPerSecond), call: held === null ? '' : breachCall(worst, fn, held.rows), spot: '' });
}
