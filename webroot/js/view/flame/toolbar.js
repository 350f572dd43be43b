// toolbar.js - what is chosen about the flame graph: direction, order, width, folding, colour; what is
// hidden or in focus; and the way back up from a zoom.

import { el, icon, setAttr, setText } from '../../dom.js';
import { shorten } from '../../model/names.js';

/** A row of choices [value, text, tip]; `chosen(value)` is called for the one that is pressed. */
export function choice(label, options, chosen) {
  const buttons = options.map(([value, text, tip]) =>
    el('button', { type: 'button', title: tip, onclick: () => chosen(value) }, text),
  );
  const root = el('div', { class: 'choice', role: 'group', 'aria-label': label }, ...buttons);
  return {
    root,
    show(value, available = () => true) {
      options.forEach(([option], i) => {
        setAttr(buttons[i], 'aria-pressed', String(option === value));
        buttons[i].disabled = !available(option);
      });
    },
  };
}

/** `go(change, how)` goes to another place (main.js). */
export function createToolbar(go) {
  const kept = { replace: true };
  const direction = choice(
    'Direction',
    [
      [false, 'Top-down', 'Callers above what they call (i)'],
      [true, 'Callers', 'Functions above those who call them (i)'],
    ],
    (inverted) => go({ inverted, zoom: [] }),
  );
  const order = choice(
    'Order',
    [
      ['heavy', 'Left-heavy', 'Heaviest first (o)'],
      ['name', 'A–Z', 'By name: frames keep their places while numbers grow (o)'],
    ],
    (to) => go({ order: to }, kept),
  );
  const unit = choice(
    'Width',
    [
      ['time', 'Time', 'Width is total time (w)'],
      ['calls', 'Calls', 'Width is the number of calls (w)'],
      ['samples', 'Samples', 'Width is the number of samples (w); only where the target takes samples'],
    ],
    (to) => go({ unit: to }, kept),
  );
  let place = null;
  const fold = el(
    'button',
    {
      type: 'button',
      class: 'button small',
      title: 'Show a recursive function once (r)',
      onclick: () => go({ collapse: !place.collapse }, kept),
    },
    'Fold recursion',
  );
  const colour = el(
    'button',
    {
      type: 'button',
      class: 'button small',
      title: 'One colour family per source file (l)',
      onclick: () => go({ colour: place.colour === 'file' ? 'function' : 'file' }, kept),
    },
    'Colour by file',
  );
  const chips = el('div', { class: 'chips' });
  const root = el(
    'div',
    { class: 'toolbar', role: 'toolbar', 'aria-label': 'Flame graph' },
    direction.root,
    order.root,
    unit.root,
    fold,
    colour,
    chips,
  );

  function chip(kind, label) {
    return el(
      'button',
      {
        type: 'button',
        class: 'chip',
        title: `${label}: click to undo`,
        onclick: () => go({ [kind]: place[kind].filter((one) => one !== label) }),
      },
      el('span', { class: 'chip-kind' }, kind === 'hide' ? 'hidden' : 'focus'),
      el('span', { class: 'mono' }, label),
      icon('close'),
    );
  }

  return {
    root,
    /** `inUnit` is the width in use, which is time where there are no samples to show. */
    show(now, inUnit, samplesThere) {
      place = now;
      direction.show(place.inverted);
      order.show(place.order);
      unit.show(inUnit, (option) => option !== 'samples' || samplesThere);
      setAttr(fold, 'aria-pressed', String(place.collapse));
      setAttr(colour, 'aria-pressed', String(place.colour === 'file'));
      const key = JSON.stringify([place.hide, place.focus]);
      if (chips.dataset.key === key) return;
      chips.dataset.key = key;
      chips.replaceChildren(
        ...place.focus.map((label) => chip('focus', label)),
        ...place.hide.map((label) => chip('hide', label)),
      );
    },
  };
}

/** `zoomTo(depth)` zooms back out to the frame at that depth of the path shown; 0 is the whole. */
export function createCrumbs(zoomTo) {
  const crumbs = el('ol', { class: 'crumbs' });
  const way = el('nav', { class: 'crumb-scroll', 'aria-label': 'Zoom' }, crumbs);
  const extent = el('p', { class: 'extent' });
  return {
    root: el('div', { class: 'crumb-bar' }, way, extent),
    /** `names` from the whole down to the zoomed frame; `sum` is what the graph holds, in words. */
    show(names, sum) {
      setText(extent, sum);
      const key = names.join('\n');
      if (crumbs.dataset.key === key) return;
      crumbs.dataset.key = key;
      crumbs.replaceChildren(
        ...names.map((name, depth) =>
          el(
            'li',
            {},
            el(
              'button',
              {
                type: 'button',
                title: name,
                'aria-current': depth === names.length - 1 ? 'true' : null,
                onclick: () => zoomTo(depth),
              },
              shorten(name, 34),
            ),
          ),
        ),
      );
      way.scrollLeft = way.scrollWidth;
    },
  };
}
