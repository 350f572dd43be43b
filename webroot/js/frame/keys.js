// keys.js - maps keys to actions, and lists them in a dialog.
//
// An action is { keys: ['w'], label, group, run, shown (how help writes the keys, where they are many) }. The same list serves the keyboard and the help, so that
// they agree.

import { el } from '../dom.js';
import { openDialog } from '../part/dialog.js';

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

/** `actions()` returns the present list, views' own actions first. */
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
    const having = (wanted) => actions().find((one) => one.keys.includes(wanted));
    // What Shift makes of a digit is another sign on each keyboard.
    const action = having(key) ?? (event.shiftKey && /^Digit[1-9]$/.test(event.code) ? having(`Shift+${event.code.slice(-1)}`) : undefined);
    if (action === undefined || action.run(event) === false) return;
    event.preventDefault();
  });
}

const listed = (action) => [
  el('dt', {}, action.label),
  el('dd', {}, ...(action.shown ?? action.keys).map((key) => el('kbd', {}, names[key] ?? key))),
];

/** Opens the dialog that lists the actions by group. */
export function showHelp(actions) {
  const groups = new Map();
  for (const action of actions) {
    if (!groups.has(action.group)) groups.set(action.group, []);
    groups.get(action.group).push(action);
  }
  const sections = [...groups].map(([group, list]) =>
    el('section', {}, el('h3', {}, group), el('dl', {}, ...list.flatMap(listed))),
  );
  const dialog = openDialog('Keys', el('div', { class: 'keys' }, ...sections));
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
}
