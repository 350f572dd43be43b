// inspector.js - the card of the selected function (or of the selected frame's or call's function), at the right of
// every view but Functions, which has a card of its own.

import { el, setAttr } from '../dom.js';
import { createSandwich } from '../part/card/sandwich.js';

const waitMs = 2000; // how long a part is waited for whose data the daemon has not sent yet
const nothing = { until: 0 };
const own = 'functions'; // has a card of its own
const hasRoom = matchMedia('(min-width: 1400px)'); // for a graph beside the card

/** The call graph of one function usually has the card beside it. */
const isUsual = ({ view, fn }) => view === 'graph' && fn !== '' && hasRoom.matches;

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
  const isOpen = () => (place.get().inspector === '' ? isUsual(place.get()) : place.get().inspector === '1');
  const setOpen = (wanted) => place.go({ inspector: wanted === isUsual(place.get()) ? '' : String(Number(wanted)) }, { replace: true });

  function chosen() {
    const id = current().chosen?.() ?? -1;
    const { fn } = place.get();
    return id >= 0 || fn === '' ? id : host().profile.idOf(fn);
  }

  function toggle() {
    const { view, fn } = place.get();
    if (view !== own) return setOpen(!isOpen());
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
    const { view } = place.get();
    const wasHidden = root.hidden;
    root.hidden = view === own || !isOpen();
    setAttr(main, 'data-inspector', root.hidden ? null : '');
    if (root.hidden !== wasHidden) changed();
    if (root.hidden) return;
    if (main.lastElementChild !== root) main.append(root); // stays behind a view that was made later
    if (card === null) {
      const choose = (id) => place.go({ view: place.get().view === 'graph' ? 'graph' : own, fn: host().profile.labelOf(id) });
      root.append((card = createSandwich(host(), { chosen, choose, close: () => setOpen(false) })).root);
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
