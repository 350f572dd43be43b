// toast.js - short messages in a corner, such as the device's answer to a command.

import { button, el } from '../dom.js';

const stayMs = { ok: 4000, info: 5000, bad: 12000 };
const actMs = 20000; // toasts with a button stay longer

export function createToasts(host) {
  /** `act` { label, keys (where it has any), run } is what can be done about it. Answers what takes it away. */
  return function toast(level, title, text = '', act = null) {
    const close = button('close', 'Dismiss', () => note.remove(), { iconOnly: true });
    close.className = '';
    const note = el(
      'div',
      { class: 'toast', 'data-level': level },
      el('p', {}, el('strong', {}, title), text),
      act && actionOf(act, () => note.remove()),
      close,
    );
    host.append(note);
    while (host.childElementCount > 4) host.firstElementChild.remove();
    setTimeout(() => note.remove(), act ? actMs : stayMs[level]);
    return () => note.remove();
  };
}

function actionOf({ label, keys, run }, remove) {
  const press = () => {
    remove();
    run();
  };
  const title = keys === undefined ? null : `${label} (${keys})`;
  return el('button', { type: 'button', class: 'button small', title, 'aria-keyshortcuts': keys ?? null, onclick: press }, label);
}
