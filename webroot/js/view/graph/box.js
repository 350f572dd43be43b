// box.js - the box of a function in the call graph, a link.

import { setText } from '../../dom.js';
import { set, svgElement } from './svg.js';

const pad = 10;

/** `open(box)` is called for a click, or Enter. */
export function createBox(open) {
  const parts = {
    root: svgElement('a', 'graph-box'),
    title: svgElement('title'),
    frame: svgElement('rect', 'graph-frame'),
    name: svgElement('text', 'graph-name'),
    figures: svgElement('text', 'graph-figures'),
    calls: svgElement('text', 'graph-figures'),
    track: svgElement('rect', 'graph-track'),
    total: svgElement('rect', 'graph-total'),
    self: svgElement('rect', 'graph-self'),
    box: null,
  };
  const { root, title, frame, name, figures, calls, track, total, self } = parts;
  set(frame, { rx: 7 });
  set(name, { x: pad, y: 20 });
  set(figures, { x: pad, y: 37 });
  set(calls, { y: 37, 'text-anchor': 'end' });
  for (const bar of [track, total, self]) set(bar, { x: pad, y: 44, height: 4, rx: 1 });
  root.append(title, frame, name, figures, calls, track, total, self);
  root.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(parts.box);
  });
  return {
    root,
    /** what: { name, label, title, figures, calls, total, self (shares or null), href, marks } */
    show: (box, at, size, what) => show(parts, box, at, size, what),
  };
}

function show(parts, box, at, { width, height }, what) {
  parts.box = box;
  const room = width - 2 * pad;
  const isCentre = at.level === 0;
  set(parts.frame, { width, height });
  set(parts.calls, { x: width - pad });
  set(parts.root, {
    transform: `translate(${at.x} ${at.y})`,
    href: what.href,
    'aria-label': what.label,
    'data-centre': isCentre ? '' : null,
    'data-more': box.more ? '' : null,
    'aria-current': isCentre ? 'true' : null,
    ...what.marks,
  });
  for (const part of ['title', 'name', 'figures', 'calls']) setText(parts[part], what[part]);
  for (const bar of ['total', 'self'])
    set(parts[bar], { width: room * Math.min(Math.max(what[bar] ?? 0, 0), 1) });
  set(parts.track, { width: room, visibility: what.total === null && what.self === null ? 'hidden' : null });
}
