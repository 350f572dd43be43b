// windows.js - the panel of the timeline that lists windows, and says at which calls one is kept.

import { el, setAttr, setText } from '../../dom.js';
import { plural } from '../../model/format.js';
import {
  canKeep,
  listWindows,
  longestWords,
  partsOf,
  tellsWindowsOnly,
  triggerAnswer,
  triggerNames,
  triggerOf,
  triggerWords,
  windowNotes,
  windowTitle,
} from '../../model/windows.js';

const press = (text, tip, onclick) => el('button', { type: 'button', class: 'button small', title: tip, onclick }, text);

/** `show(row)` goes to a window; `changed()` is called when the panel comes or goes. */
export function createWindows(host, show, changed) {
  const panel = {
    host,
    show,
    changed,
    chosen: null, // whether the reader opened or closed it; null: neither
    nothing: false, // there is no timeline beside it
    narrow: matchMedia('(max-width: 900px)'),
    offered: '', // the function that the form was filled with by the address
    filled: '', // the trigger that it was filled with
    names: '',
    key: '',
    waits: false,
    words: el('p', { class: 'windows-words' }),
    list: el('ol', { class: 'windows-list', 'aria-label': 'Hits of the trigger, newest first' }),
    foot: el('p', { class: 'windows-foot' }),
  };
  build(panel);
  return {
    root: panel.root,
    toggle: () => toggle(panel),
    update: (nothing) => update(panel, nothing),
    get open() {
      return isOpen(panel);
    },
    get count() {
      return host.whole.windows.told;
    },
  };
}

function build(panel) {
  const field = (id, extra) => el('input', { id, type: 'text', autocomplete: 'off', spellcheck: 'false', ...extra });
  panel.name = field('window-function', { list: 'window-functions' });
  panel.time = field('window-time', { placeholder: '500 us', 'aria-describedby': 'window-tip' });
  panel.options = el('datalist', { id: 'window-functions' });
  panel.tip = el('p', { class: 'windows-tip', id: 'window-tip' });
  panel.said = el('output', { for: 'window-function window-time' });
  panel.set = el('button', { type: 'submit', class: 'button small primary' }, 'Set');
  panel.now = press('Capture now', 'Have the device send what happens now', () => send(panel, { now: true }));
  panel.off = press('Off', 'Take the trigger away', () => send(panel, { when: null }));
  panel.form = el(
    'form',
    { class: 'windows-form', 'aria-label': 'Trigger' },
    el('label', { for: 'window-function' }, 'Function'),
    panel.name,
    panel.options,
    el('label', { for: 'window-time' }, 'Call longer than'),
    panel.time,
    panel.tip,
    el('div', { class: 'windows-acts' }, panel.set, panel.now, panel.off),
    panel.said,
  );
  panel.form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit(panel);
  });
  panel.form.addEventListener('input', () => {
    say(panel, null, '');
    tell(panel);
  });
  panel.root = el(
    'section',
    { class: 'windows', id: 'windows', 'aria-labelledby': 'windows-title', hidden: true },
    el('h2', { id: 'windows-title' }, 'Triggers'),
    panel.words,
    panel.form,
    panel.list,
    panel.foot,
  );
}

/** Where there is no room for both, the timeline comes first. */
const isOpen = ({ host, chosen, nothing, narrow }) =>
  chosen ?? (tellsWindowsOnly(host.whole) && (nothing || !narrow.matches));

function toggle(panel) {
  panel.chosen = !isOpen(panel);
  panel.changed();
  return true;
}

function say(panel, level, text) {
  setText(panel.said, text);
  setAttr(panel.said, 'data-level', level);
}

async function send(panel, wish) {
  panel.waits = true;
  tell(panel);
  say(panel, null, 'Asking …');
  try {
    const answer = await panel.host.setTrigger(wish);
    say(panel, 'ok', wish.now ? 'Capturing.' : triggerAnswer(answer));
  } catch (error) {
    say(panel, 'bad', error.message);
  }
  panel.waits = false;
  panel.host.redraw();
}

function submit(panel) {
  const { value, error } = triggerOf(panel.name.value, panel.time.value);
  if (error === undefined) {
    send(panel, { when: value });
    return;
  }
  say(panel, 'bad', error);
  (panel.name.value.trim() === '' ? panel.name : panel.time).focus();
}

/** The form is filled with what is set, or with the function that the address offers. */
function fill(panel) {
  const { host } = panel;
  const { keep } = host.place;
  const when = host.whole.target.trigger?.when ?? '';
  if (when !== panel.filled) {
    panel.filled = when;
    if (when !== '') Object.assign(panel.name, { value: partsOf(when).name });
    if (when !== '') Object.assign(panel.time, { value: partsOf(when).time });
  }
  if (keep === panel.offered) return;
  panel.offered = keep;
  if (keep === '') return;
  panel.chosen = true;
  panel.name.value = host.whole.functions[host.whole.idOf(keep)]?.name ?? keep;
  if (partsOf(when).name !== panel.name.value) panel.time.value = '';
  panel.wanted = panel.time; // once it can be seen
}

/** What is known of what the form says, and what can be done. */
function tell(panel) {
  const { host, name, waits } = panel;
  const { whole } = host;
  const cannot = host.setTrigger === null || !host.answers || waits;
  setText(panel.tip, longestWords(whole, name.value.trim()));
  panel.set.disabled = cannot;
  panel.now.disabled = cannot;
  panel.now.hidden = whole.target.mode !== 'tree' || canKeep(whole) === false;
  panel.off.disabled = cannot;
  panel.off.hidden = !whole.target.trigger;
}

function createRow(panel, row) {
  const { whole } = panel.host;
  return el(
    'li',
    {},
    el(
      'button',
      { type: 'button', class: 'window-row', onclick: () => panel.show(row) },
      el('strong', {}, windowTitle(row, whole)),
      ' ',
      el('span', {}, windowNotes(row, whole, panel.host.time).join(' · ')),
    ),
  );
}

function drawList(panel) {
  const { whole } = panel.host;
  const { rows, gone } = listWindows(whole);
  const { zero, isClock } = panel.host.time;
  const key = JSON.stringify([whole.named, whole.ticksPerSecond, zero, isClock, rows]);
  panel.list.hidden = rows.length === 0;
  setText(panel.foot, gone > 0 ? `${plural(gone, 'older one')} not listed.` : '');
  panel.foot.hidden = gone === 0;
  if (key === panel.key) return;
  panel.key = key;
  const focused = [...panel.list.children].findIndex((li) => li.contains(document.activeElement));
  panel.list.replaceChildren(...rows.map((row) => createRow(panel, row)));
  if (focused >= 0) panel.list.children[Math.min(focused, rows.length - 1)]?.firstChild.focus();
}

/** `nothing`: there is nothing on the timeline, so this stands below the words that say so. */
function update(panel, nothing) {
  const { host, root } = panel;
  panel.nothing = nothing;
  fill(panel);
  root.hidden = !isOpen(panel) || (nothing && !tellsWindowsOnly(host.whole) && host.place.keep === '');
  if (root.hidden) return;
  setText(panel.words, triggerWords(host.whole));
  setAttr(panel.words, 'data-level', host.whole.target.trigger?.state === 'failed' ? 'bad' : null);
  const names = triggerNames(host.whole);
  if (names.join('\n') !== panel.names) {
    panel.names = names.join('\n');
    panel.options.replaceChildren(...names.map((value) => el('option', { value })));
  }
  panel.form.hidden = host.setTrigger === null;
  tell(panel);
  drawList(panel);
  panel.wanted?.focus();
  panel.wanted = null;
}
