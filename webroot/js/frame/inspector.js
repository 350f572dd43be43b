// inspector.js - the card of the selected function (or of the selected frame's or call's function), at the right of
// views that have no card of their own.

import { el, setAttr } from '../dom.js';
import { createSandwich } from '../part/card/sandwich.js';

const waitMs = 2000; // how long a part is waited for whose data the daemon has not sent yet
const nothing = { until: 0 };
const own = ['functions', 'graph']; // views with a card of their own

/**
 * Goes into `main`. `host()` returns the page's host, `current()` the view shown; its chosen(), if any, returns the id of
 * the selected function. `changed()` redraws everything.
 */
export function createInspector({ main, place, host, current, changed }) {
  const none = el('p', { class: 'inspector-none' }, 'No function is chosen. Click a frame, a call or a name.');
  const root = el('aside', { class: 'inspector', 'aria-label': 'Inspector', hidden: true }, none);
  let card = null;
  let last = ''; // the function whose card toggle() closed last
  main.append(root);
  const close = () => place.go({ inspector: false }, { replace: true });

  function chosen() {
    const id = current().chosen?.() ?? -1;
    const { fn } = place.get();
    return id >= 0 || fn === '' ? id : host().profile.idOf(fn);
  }

  function toggle() {
    const { view, fn, inspector } = place.get();
    if (!own.includes(view)) return place.go({ inspector: !inspector }, { replace: true });
    if (view === 'graph') return false;
    if (fn === '' && last === '') return current().next(1);
    place.go({ fn: fn === '' ? last : '' }, { replace: true });
    last = fn;
    return true;
  }

  const parts = createParts(main, changed);

  /** Scrolls to part `number` of the card, which is opened if it is closed. False where it cannot be opened. */
  function showPart(number) {
    if (!parts.isThere && root.hidden && toggle() === false) return false;
    parts.show(number);
    return true;
  }

  function show() {
    const { view, inspector } = place.get();
    const wasHidden = root.hidden;
    root.hidden = !inspector || own.includes(view);
    setAttr(main, 'data-inspector', root.hidden ? null : '');
    if (root.hidden !== wasHidden) changed();
    if (root.hidden) return;
    if (main.lastElementChild !== root) main.append(root); // stays behind a view that was made later
    if (card === null) {
      const choose = (id) => place.go({ view: 'functions', fn: host().profile.labelOf(id) });
      root.append((card = createSandwich(host(), { chosen, choose, close })).root);
    }
    card.update();
    none.hidden = card.open();
  }

  return {
    actions: [
      { keys: ['\\'], label: 'Inspector: the chosen function', group: 'Everywhere', run: toggle },
      { keys: [1, 2, 3, 4, 5].map((n) => `Shift+${n}`), shown: ['Shift+1 … 5'], label: 'Card of the function: durations, over time, callers, callees, figures', group: 'Everywhere', run: ({ code }) => showPart(code.slice(-1)) },
    ],
    update() {
      show();
      parts.update();
    },
  };
}

/** Scrolls to a part of the card and focuses it, once that part is shown. */
function createParts(main, changed) {
  const visible = (part) => [...main.querySelectorAll(part)].find(({ offsetParent }) => offsetParent !== null);
  let wanted = nothing;
  return {
    get isThere() {
      return visible('.sandwich') !== undefined;
    },
    show(number) {
      wanted = { part: `.sandwich [data-part="${number}"]`, until: performance.now() + waitMs };
      changed();
    },
    update() {
      const part = wanted.until > performance.now() ? visible(wanted.part) : undefined;
      if (part === undefined) return;
      wanted = nothing;
      part.scrollIntoView({ block: 'start' });
      part.focus({ preventScroll: true });
    },
  };
}
