// limits.js - limits: a badge in the header, and the dialog to view, set and remove them.

import { button, el, setAttr, setText } from '../dom.js';
import { absentMoment } from '../model/absence.js';
import { breachCall, breachPlace, keptOf, keptWords, limitName, limitsBadge, limitWords, newlyBroken, recordingOf } from '../model/limits.js';
import { triggerWords } from '../model/windows.js';
import { openDialog } from '../part/dialog.js';
import { createLimitForm } from './limitform.js';
import { createLimitHits } from './limithits.js';

/** on: { api, toast, copy(text, what), live, go(place), time (frame/time.js), openRecording(path, hit), showRecordings() }. Answers { badge, learn(figures that can be limited), update(), actions, begin(fn, figure): opens them, with a function filled in unless it is null, and a figure (model/limits.js) }. */
export function createLimits(on) {
  const limits = { on, figures: [], dialog: null, shown: '', broken: null, clearing: 0 };
  limits.badge = el('button', { type: 'button', class: 'badge limits-badge', hidden: true, onclick: () => open(limits) });
  return {
    badge: limits.badge,
    learn: (figures) => (limits.figures = figures),
    update: () => update(limits),
    begin: (fn, figure) => open(limits, fn === null ? '' : limitName(on.live, fn), figure),
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

/** Reports each broken limit once, except those broken when the page was opened. */
function tellBroken(limits) {
  const { live, toast } = limits.on;
  if (limits.clearing !== live.clearing) limits.broken = limits.broken && new Set();
  limits.clearing = live.clearing;
  for (const row of limits.broken === null ? [] : newlyBroken(live, limits.broken)) toast('bad', 'A limit was broken', `${row.limit}. ${limitWords(row)}.`);
  limits.broken = new Set(live.limits.filter((row) => row.breaches > 0).map((row) => row.id));
}

function open(limits, begun = '', figure = 'max') {
  const { on } = limits;
  const form = createLimitForm({ ...on, figures: limits.figures });
  limits.list = el('ul', { class: 'limit-list', 'aria-label': 'Limits' });
  const list = el('button', { type: 'button', class: 'link', onclick: () => limits.dialog.close() || on.showRecordings() }, 'Recordings');
  limits.kept = el('p', { class: 'limit-kept' }, el('span'), ' ', list);
  limits.hits = createLimitHits({ ...on, show: (hit) => goToHit(limits, hit, hit.words), openRecording: (...what) => openKept(limits, ...what) });
  limits.shown = null;
  limits.dialog = openDialog('Limits', el('div', { class: 'limits' }, form.root, limits.list, limits.kept, limits.hits.root), { className: 'limits-dialog' });
  limits.dialog.addEventListener('close', () => (limits.dialog = null));
  fill(limits);
  form.begin(begun, figure);
}

/** Rows are made again when a limit comes or goes; else only their words change, and the focus stays. */
function fill(limits) {
  const { live } = limits.on;
  const rows = live.limits;
  const { trigger = null } = live.target;
  const shown = JSON.stringify([rows.map((row) => [row.id, row.worst === null]), trigger?.when]);
  if (shown !== limits.shown) {
    limits.shown = shown;
    const made = [...rows.map((row) => createRow(limits, row)), ...(trigger === null ? [] : [createTrigger(limits, trigger)])];
    limits.list.replaceChildren(...(made.length > 0 ? made : [el('li', { class: 'none' }, 'No limit is set.')]));
  }
  rows.forEach((row, i) => {
    const item = limits.list.children[i];
    setAttr(item, 'data-state', row.state);
    setText(item.querySelector('.limit-words'), limitWords(row));
  });
  if (trigger !== null) setText(limits.list.lastElementChild.querySelector('.limit-words'), triggerWords(live));
  setText(limits.kept.firstChild, keptWords(live));
  limits.kept.lastChild.hidden = !live.source.keeping?.rows.length;
  limits.hits.update();
}

function createTrigger(limits, { when }) {
  const remove = button('close', `Take ${when} away`, () => endTrigger(limits), { iconOnly: true });
  return el('li', {}, el('code', {}, when), el('span', { class: 'limit-words' }), remove);
}

async function endTrigger({ on }) {
  try {
    await on.api.setTrigger({ when: null });
  } catch (problem) {
    on.toast('bad', `Trigger: ${problem.title}`, problem.message);
  }
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

function goToWorst(limits, id) {
  const { limit, worst, function: fn } = limits.on.live.limits.find((one) => one.id === id);
  return goToHit(limits, { ...worst, fn, limit }, `The worst of ${limit}`);
}

function openKept({ on, dialog }, path, hit) {
  dialog.close();
  on.openRecording(path, hit);
}

/**
 * Goes to the hit's call on the timeline, or reports that it is no longer buffered and where it was kept. hit: as of
 * hitsOf().
 */
async function goToHit({ on, dialog }, hit, title) {
  const { live, time } = on;
  dialog.close();
  // If this fails, the timeline reports why.
  const held = await on.api.fetchTimeline({ from: hit.from, to: hit.from }, 1000).then(time.learn, () => null);
  const known = { held, time: time.now, state: live.source.state, kept: hit.at === undefined ? '' : keptOf(live, hit) };
  const words = (held?.oldest ?? null) === null ? '' : absentMoment({ from: hit.from, to: hit.ticks }, known);
  const path = hit.at === undefined ? '' : recordingOf(live, hit);
  if (words !== '') on.toast('bad', title, words, path === '' ? null : { label: 'Open recording', run: () => on.openRecording(path, hit) });
  else on.go({ view: 'timeline', at: breachPlace(hit, live.ticksPerSecond), call: held === null ? '' : breachCall(hit, hit.fn, held.rows), spot: '' });
}
