// laneheads.js - the heads of lanes: a button that folds a lane and is dragged to move it, and a menu button.

import { button, el, setAttr } from '../../dom.js';
import { plural } from '../../model/format.js';
import { fromTop } from '../../model/lanes.js';
import { listenToDrag } from './drag.js';

/**
 * on: { host, sheet, frame (lanes.js), act(what, context), drop(lane, to) }. Heads of pinned lanes are in the frame,
 * the others in the sheet, which scrolls.
 */
export function createLaneHeads(on) {
  const { sheet, frame } = on;
  const line = el('div', { class: 'lane-drop', hidden: true });
  const held = el('div', { class: 'lanes-held' });
  frame.prepend(held); // so that Tab moves from top to bottom
  frame.append(line);
  const heads = { on, line, held, bars: [], layout: null, key: '', scroll: 0 };
  return {
    show(layout) {
      heads.layout = layout;
      const key = JSON.stringify([layout.held, layout.lanes.map((lane) => [lane.context, lane.label, lane.top, lane.collapsed, lane.isPinned])]);
      if (key === heads.key) return;
      heads.key = key;
      sheet.parentElement.style.scrollPaddingTop = `${layout.held}px`; // so that elements focused by Tab are not below them
      build(heads, sheet);
    },
    focused() {
      const bar = heads.bars.find(({ root }) => root.contains(document.activeElement));
      return bar?.lane.context ?? null;
    },
    cover(top, scroll) {
      heads.scroll = scroll;
      for (const { root, lane } of heads.bars) {
        const isUnder = lane.bottom > top && lane.top - scroll < top - 1 && lane.top >= top;
        setAttr(root, 'data-under', isUnder ? '' : null);
      }
    },
  };
}

function build(heads, sheet) {
  const { layout, held, bars } = heads;
  const focused = bars.flatMap(({ root, lane }) => [...root.children].map((one, i) => ({ one, i, lane }))).find(({ one }) => one === document.activeElement);
  for (const { root } of bars.splice(0)) root.remove();
  for (const lane of layout.lanes) {
    const bar = createBar(heads, lane);
    bars.push(bar);
    (lane.bottom <= layout.held ? held : sheet).append(bar.root);
    if (focused?.lane.context === lane.context) bar.root.children[focused.i].focus({ preventScroll: true });
  }
}

function createBar(heads, lane) {
  const { context, label, collapsed, isPinned, depths, top } = lane;
  let dragged = false;
  const fold = button('down', label, () => !dragged && heads.on.act('fold', context), {
    tip: `${collapsed ? 'Unfold' : 'Fold'} the lane (c): ${plural(depths, 'level')} of calls. Drag to move it (<, >)`,
  });
  fold.className = 'lane-head';
  fold.dataset.context = context;
  setAttr(fold, 'aria-expanded', String(!collapsed));
  const more = button('more', `${label}: pin, hide, move`, () => openMenu(heads, lane, more), { iconOnly: true });
  more.className = 'lane-more';
  setAttr(more, 'aria-haspopup', 'menu');
  const root = el('div', { class: 'lane-bar', 'data-pinned': isPinned }, fold, more);
  root.style.top = `${top + 1}px`;
  root.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    openMenu(heads, lane, { x: event.clientX, y: event.clientY });
  });
  listenToDrag(fold, {
    began({ pointerId }) {
      dragged = false;
      fold.setPointerCapture(pointerId); // a fast first move may already leave so small an element
      return null;
    },
    moved(_, event) {
      dragged = true;
      aim(heads, lane, event.clientY);
    },
    ended(_, event, isDragged) {
      heads.line.hidden = true;
      if (isDragged && event.type === 'pointerup') heads.on.drop(lane, aim(heads, lane, event.clientY, true));
    },
  });
  return { root, lane };
}

/** The index, among pinned or other lanes, for a lane dragged to `clientY`; a line shows it until `done`. */
function aim({ layout, line, on, scroll }, lane, clientY, done = false) {
  const y = clientY - on.frame.getBoundingClientRect().top;
  const at = fromTop(layout, y, scroll);
  const others = layout.lanes.filter((one) => one.isPinned === lane.isPinned && one.context !== lane.context);
  const before = others.filter(({ top, bottom }) => (top + bottom) / 2 < at).length;
  const next = others[before];
  const edge = next?.top ?? others.at(-1)?.bottom ?? lane.top;
  line.hidden = done;
  line.style.top = `${edge - 1 - (edge < layout.held || (lane.isPinned && edge === layout.held) ? 0 : scroll)}px`;
  return before;
}

function openMenu({ layout, on }, lane, at) {
  const like = layout.lanes.filter(({ isPinned }) => isPinned === lane.isPinned);
  const item = (what, label, icon, key, disabled = false) => ({ label, icon, key, disabled, run: () => on.act(what, lane.context) });
  on.host.openMenu(at, lane.label, [
    item('pin', lane.isPinned ? 'Unpin' : 'Pin to the top', 'mark', 'p'),
    item('hide', 'Hide', 'hide', 'h', layout.lanes.length === 1),
    item('up', 'Up', 'up', '<', like[0] === lane),
    item('down', 'Down', 'down', '>', like.at(-1) === lane),
    item('fold', lane.collapsed ? 'Unfold' : 'Fold', 'table', 'c'),
  ]);
}
