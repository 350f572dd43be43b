// menu.js - a menu at a button or at the pointer, for mouse and keys.

import { el, focusView, icon, pressedByMouse } from '../dom.js';
import { middle, tipOf } from '../model/names.js';

const titleMost = 160; // letters: the items follow below

let open = null;

export function closeMenu() {
  if (open === null) return false;
  const { menu, anchor, onOutside, from, byMouse } = open;
  open = null;
  document.removeEventListener('pointerdown', onOutside, true);
  menu.remove();
  anchor?.setAttribute('aria-expanded', 'false');
  from?.focus({ preventScroll: true });
  focusView(byMouse);
  return true;
}

/**
 * Opens a menu. `at` is an element (the menu hangs below it) or { x, y }. items: { label, icon, side, key,
 * run } for a command, { label, side, href } for a download, { label, key, checked, run } for a switch (`one`: one of several), { heading, key } for
 * what stands above others; disabled: true for
 * what is unavailable now, with the reason as `side`. `note` is said above the items. `edge` is the edge of `at` that it hangs from.
 */
export function openMenu(at, title, items, note = '', edge = 'right') {
  const again = open !== null && open.anchor === at;
  closeMenu();
  if (again) return;
  const anchor = at instanceof Element ? at : null;
  const rows = items.map((item) => (item.heading === undefined ? createEntry(item) : createHeading(item)));
  const entries = rows.filter((_, i) => items[i].heading === undefined);
  const menu = el(
    'div',
    { class: 'menu', role: 'menu', 'aria-label': tipOf(title) },
    anchor && !note ? null : el('div', { class: 'menu-title', role: 'presentation', title: tipOf(title) }, middle(note || title, titleMost)),
    ...rows,
  );
  const onOutside = (event) => {
    if (!menu.contains(event.target) && !anchor?.contains(event.target)) closeMenu();
  };
  menu.addEventListener('keydown', (event) => press(entries, event));
  document.getElementById('main').append(menu);
  place(menu, at, anchor, edge);
  anchor?.setAttribute('aria-expanded', 'true');
  open = { menu, anchor, onOutside, from: document.activeElement, byMouse: pressedByMouse() };
  document.addEventListener('pointerdown', onOutside, true);
  entries[0]?.focus({ preventScroll: true });
}

function createHeading({ heading, key }) {
  return el('div', { class: 'menu-heading', role: 'presentation' }, heading, key ? el('kbd', { class: 'side' }, key) : null);
}

const roleOf = ({ checked, one }) => (checked === undefined ? 'menuitem' : one ? 'menuitemradio' : 'menuitemcheckbox');

function createEntry(item) {
  const side = item.key
    ? el('kbd', { class: 'side' }, item.key)
    : item.side
      ? el('span', { class: 'side' }, item.side)
      : null;
  const attributes = {
    role: roleOf(item),
    'aria-checked': item.checked === undefined ? null : String(item.checked),
    tabindex: '-1',
    type: item.href ? null : 'button',
    href: item.href,
    download: item.href ? '' : null,
    'aria-disabled': item.disabled ? 'true' : null,
    onclick() {
      if (item.disabled) return;
      closeMenu();
      item.run?.();
    },
  };
  return el(item.href ? 'a' : 'button', attributes, item.icon ? icon(item.icon) : null, el('span', {}, item.label), side);
}

/** The next entry whose text begins with the letter pressed; undefined if there is none. */
function beginningWith(entries, here, { key, ctrlKey, altKey, metaKey }) {
  if (key.length !== 1 || key === ' ' || ctrlKey || altKey || metaKey) return undefined;
  const next = [...entries.slice(here + 1), ...entries.slice(0, here + 1)];
  return next.find(({ textContent }) => textContent.toLowerCase().startsWith(key.toLowerCase()));
}

function press(entries, event) {
  const here = entries.indexOf(document.activeElement);
  const steps = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: entries.length - 1 };
  // Enter and the space bar press the entry; no other key may reach the page behind the menu.
  event.stopPropagation();
  const named = beginningWith(entries, here, event);
  if (event.key in steps) entries[(steps[event.key] + entries.length) % entries.length].focus();
  else if (named !== undefined) named.focus();
  else if (event.key === 'Escape' || event.key === 'Tab') closeMenu();
  else return;
  event.preventDefault();
}

/** The frame's actions that are used rarely, each with its key. */
export const moreItems = (actions) =>
  ['Shift+E', 'Shift+C', 'Shift+Z', 'Shift+L', 'j', 'Shift+B', 't', '?']
    .map((key) => actions.find(({ keys }) => keys.includes(key)))
    .map(({ label, keys, run }) => ({ label, key: keys[0], run }));

/** Places the menu fully in the window. */
function place(menu, at, anchor, edge) {
  const box = anchor ? anchor.getBoundingClientRect() : { left: at.x, right: at.x, bottom: at.y, top: at.y };
  const { width, height } = menu.getBoundingClientRect();
  const left = anchor && edge === 'right' ? box.right - width : box.left;
  menu.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(box.bottom + 4, innerHeight - height - 8))}px`;
}
