// keys.js - from a key to its action, and the dialog that lists them all.
//
// An action is { keys: ['w'], label, group, run }. The same list serves the keyboard and the help, so that
// they agree.

import { button, el } from '../dom.js';

const names = {
  ' ': 'Space',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  ContextMenu: 'Menu',
};

const typing = (target) => target instanceof HTMLInputElement || target instanceof HTMLSelectElement;

/** `actions()` gives the list as it is now, views' own actions first. */
export function listenToKeys(actions) {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector('dialog[open]')) return;
    if (typing(event.target) && event.key !== 'Escape') return;
    // A focused button or link keeps the keys that press it.
    if (
      (event.key === ' ' || event.key === 'Enter') &&
      event.target.closest?.('button, a, [role="menuitem"]')
    )
      return;
    const key =
      event.shiftKey && /^[A-Za-z]$/.test(event.key) ? `Shift+${event.key.toUpperCase()}` : event.key;
    const action = actions().find((one) => one.keys.includes(key));
    if (action === undefined || action.run(event) === false) return;
    event.preventDefault();
  });
}

export function showHelp(actions) {
  const groups = new Map();
  for (const action of actions) {
    if (!groups.has(action.group)) groups.set(action.group, []);
    groups.get(action.group).push(action);
  }
  const dialog = el(
    'dialog',
    { 'aria-label': 'Keys' },
    el(
      'div',
      { class: 'dialog-head' },
      el('h2', {}, 'Keys'),
      button('close', 'Close', () => dialog.close(), { iconOnly: true }),
    ),
    el(
      'div',
      { class: 'keys' },
      ...[...groups].map(([group, list]) =>
        el(
          'section',
          {},
          el('h3', {}, group),
          el(
            'dl',
            {},
            ...list.flatMap((action) => [
              el('dt', {}, action.label),
              el('dd', {}, ...action.keys.map((key) => el('kbd', {}, names[key] ?? key))),
            ]),
          ),
        ),
      ),
    ),
  );
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
}
