// toast.js - short answers in a corner: what the device said to a command.

import { button, el } from '../dom.js';

const stayMs = { ok: 4000, info: 5000, bad: 12000 };

export function createToasts(host) {
  return function toast(level, title, text = '') {
    const close = button('close', 'Dismiss', () => note.remove(), { iconOnly: true });
    close.className = '';
    const note = el(
      'div',
      { class: 'toast', 'data-level': level },
      el('p', {}, el('strong', {}, title), text),
      close,
    );
    host.append(note);
    while (host.childElementCount > 4) host.firstElementChild.remove();
    setTimeout(() => note.remove(), stayMs[level]);
  };
}
