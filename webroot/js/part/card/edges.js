// edges.js - a function's callers or callees as a tree that opens row by row, by mouse and keys. Only visible rows have elements.

import { el, setAttr, setText, setWidth } from '../../dom.js';
import { count, duration, percent } from '../../model/format.js';
import { tipOf } from '../../model/names.js';
import { openedRows } from '../../model/paths.js';

const rowPx = 25;
const inSight = 12.5; // rows; half a row shows that there are more
const indentMost = 10; // levels; deeper ones are not indented further
let lastId = 0;

/** `choose(id)` is called for the function of a row that is clicked, or active at Enter; not for placeholders. */
export function createEdges(title, choose) {
  const tree = {
    title,
    choose,
    last: null, // the arguments of the last show()
    id: `edges${++lastId}`,
    opened: new Set(),
    of: -1, // the function whose callers or callees are shown; -1 before the first
    active: 0, // the row with the keyboard focus
    shown: [],
    slots: [],
    heading: el('h2', { class: 'part-title' }, title),
    none: el('p', { class: 'edges-none' }),
  };
  tree.list = el('ul', {
    class: 'edges',
    role: 'tree',
    tabindex: '0',
    'aria-label': `${title}, as a tree`,
    onkeydown: (event) => press(tree, event),
    onscroll: () => again(tree),
  });
  tree.list.style.maxHeight = `${inSight * rowPx}px`;
  return {
    root: el('section', { class: 'edge-part' }, tree.heading, tree.list, tree.none),
    /**
     * show(of, roots, below, words). `roots` and `below` as in openedRows() (model/paths.js), of function `of`. Shares are
     * of the sum of all roots.
     */
    show: (...last) => show(Object.assign(tree, { last }), ...last),
  };
}

function slotOf(tree, i) {
  if (tree.slots[i] !== undefined) return tree.slots[i];
  const slot = {
    row: -1,
    fill: el('span', { class: 'share-fill', 'aria-hidden': 'true' }),
    name: el('span', { class: 'edge-name mono' }),
    calls: el('span', { class: 'edge-calls' }),
    time: el('span', { class: 'edge-time' }),
    share: el('span', { class: 'edge-share' }),
  };
  const { fill, name, calls, time, share } = slot;
  slot.turn = el('span', { class: 'edge-turn', 'aria-hidden': 'true', onclick: () => turn(tree, slot.row) });
  slot.press = el('button', { type: 'button', tabindex: '-1', onclick: () => go(tree, slot.row) }, name, calls, time, share);
  slot.item = el('li', { role: 'treeitem', id: `${tree.id}-${i}` }, fill, slot.turn, slot.press);
  tree.list.append(slot.item);
  tree.slots[i] = slot;
  return slot;
}

function go({ shown, choose }, at) {
  if (shown[at]?.id >= 0) choose(shown[at].id);
}

/** Opens or closes a row. Rows below a closed one are open again when it is opened. */
function turn(tree, at, open = !tree.shown[at]?.isOpen) {
  const row = tree.shown[at];
  if (row === undefined || !row.canOpen) return;
  if (open) tree.opened.add(row.key);
  else tree.opened.delete(row.key);
  tree.active = at;
  again(tree);
}

/** The row a key moves to from the active row; null if the key opens or closes the row, or is not used here. */
function target({ shown, active }, key) {
  const { depth, isOpen } = shown[active];
  const steps = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: shown.length - 1 };
  if (key in steps) return Math.min(Math.max(steps[key], 0), shown.length - 1);
  if (key === 'ArrowRight' && isOpen) return active + 1;
  if (key === 'ArrowLeft' && !isOpen) {
    const caller = shown.findLastIndex((row, at) => at < active && row.depth < depth);
    return caller < 0 ? active : caller;
  }
  return null;
}

function press(tree, event) {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || tree.shown.length === 0) return;
  const to = target(tree, key);
  if (to !== null) reveal(tree, to);
  else if (key === 'ArrowRight' || key === 'ArrowLeft') turn(tree, tree.active, key === 'ArrowRight');
  else if (key === 'Enter') go(tree, tree.active);
  else return;
  event.preventDefault();
}

function reveal(tree, at) {
  tree.active = at;
  const { list } = tree;
  const top = at * rowPx;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + rowPx > list.scrollTop + list.clientHeight) list.scrollTop = top + rowPx - list.clientHeight;
  again(tree);
}

function showRow(tree, slot, at, { whole, ticksPerSecond }) {
  const row = tree.shown[at];
  slot.row = at;
  slot.item.hidden = false;
  const isActive = at === tree.active;
  setAttr(slot.item, 'aria-level', String(row.depth));
  setAttr(slot.item, 'aria-expanded', row.canOpen ? String(row.isOpen) : null);
  setAttr(slot.item, 'data-active', isActive ? '' : null);
  if (isActive) setAttr(tree.list, 'aria-activedescendant', slot.item.id);
  slot.item.style.paddingLeft = `${4 + 14 * Math.min(row.depth - 1, indentMost)}px`;
  slot.press.disabled = row.own === true;
  setText(slot.name, row.name);
  setAttr(slot.press, 'title', tipOf(row.name));
  setText(slot.calls, row.own ? '' : `${count(row.calls)} ×`);
  setText(slot.time, duration(row.ticks, ticksPerSecond));
  const part = whole > 0 && row.ticks !== null ? row.ticks / whole : NaN;
  setText(slot.share, percent(part));
  setWidth(slot.fill, part);
}

/** Draws at once, not with the next redraw: another key may come before it. */
const again = (tree) => show(tree, ...tree.last);

/** words: { none: text for an empty tree, nameOf(id), ticksPerSecond } */
function show(tree, of, roots, below, { none, nameOf, ticksPerSecond }) {
  const { list } = tree;
  if (tree.of !== of) {
    Object.assign(tree, { of, active: 0 });
    tree.opened.clear();
    list.scrollTop = 0;
  }
  tree.shown = openedRows(roots, below, tree.opened, nameOf);
  tree.active = Math.min(tree.active, Math.max(tree.shown.length - 1, 0));
  const whole = roots.reduce((all, one) => all + (one.ticks ?? 0), 0);
  const first = Math.min(Math.floor(list.scrollTop / rowPx), Math.max(tree.shown.length - Math.ceil(inSight), 0));
  const end = Math.min(first + Math.ceil(inSight) + 1, tree.shown.length);
  setAttr(list, 'aria-activedescendant', null);
  for (let at = first; at < end; at++) showRow(tree, slotOf(tree, at - first), at, { whole, ticksPerSecond });
  for (let i = end - first; i < tree.slots.length; i++) tree.slots[i].item.hidden = true;
  tree.slots.forEach(({ item }, i) => {
    const [above, beneath] = [i === 0 ? first : 0, i === end - first - 1 ? tree.shown.length - end : 0];
    item.style.margin = `${above * rowPx}px 0 ${beneath * rowPx}px`;
  });
  tree.none.hidden = roots.length > 0;
  setText(tree.none, none);
  const others = roots.filter((entry) => !entry.own).length;
  setText(tree.heading, roots.length > 0 ? `${tree.title} (${others})` : tree.title);
}
