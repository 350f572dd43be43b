// windows.js - the panel that lists the kept windows around slow calls. Triggers are set in the limits' form
// (frame/limitform.js).

import { el, setAttr, setText } from '../../dom.js';
import { plural } from '../../model/format.js';
import { canKeep, listWindows, tellsWindowsOnly, triggerWords, windowNotes, windowTitle } from '../../model/windows.js';

const press = (text, tip, onclick) => el('button', { type: 'button', class: 'button small', title: tip, onclick }, text);

/** `show(row)` goes to a window; `changed()` is called when the panel opens or closes. */
export function createWindows(host, show, changed) {
  const panel = {
    host,
    show,
    changed,
    chosen: null, // opened (true) or closed by the user; null: neither
    nothing: false, // there is no timeline beside it
    narrow: matchMedia('(max-width: 900px)'),
    key: '',
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
  const { host } = panel;
  panel.said = el('output');
  panel.set = el('button', { type: 'button', class: 'button small primary', onclick: () => host.openLimits(null, 'trigger') }, 'Set …');
  panel.now = press('Capture now', 'Have the device send the present calls', () => capture(panel));
  panel.acts = el('div', { class: 'windows-acts' }, panel.set, panel.now);
  panel.root = el(
    'section',
    { class: 'windows', id: 'windows', 'aria-labelledby': 'windows-title', hidden: true },
    el('h2', { id: 'windows-title' }, 'Triggers'),
    panel.words,
    panel.acts,
    panel.said,
    panel.list,
    panel.foot,
  );
}

/** If there is no room for both, the timeline takes precedence. */
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

async function capture(panel) {
  try {
    await panel.host.setTrigger({ now: true });
    say(panel, 'ok', 'Capturing.');
  } catch (error) {
    say(panel, 'bad', error.message);
  }
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

/** `nothing`: there is nothing on the timeline, so this stands below the words about that. */
function update(panel, nothing) {
  const { host, root } = panel;
  panel.nothing = nothing;
  root.hidden = !isOpen(panel) || (nothing && !tellsWindowsOnly(host.whole));
  if (root.hidden) return;
  setText(panel.words, triggerWords(host.whole));
  setAttr(panel.words, 'data-level', host.whole.target.trigger?.state === 'failed' ? 'bad' : null);
  panel.acts.hidden = host.setTrigger === null;
  for (const one of [panel.set, panel.now]) one.disabled = !host.answers;
  panel.now.hidden = host.whole.target.mode !== 'tree' || canKeep(host.whole) === false;
  drawList(panel);
}
