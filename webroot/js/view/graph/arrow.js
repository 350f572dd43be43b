// arrow.js - the arrow of a call graph, with its label.

import { setText } from '../../dom.js';
import { sizes } from '../../model/graphlayout.js';
import { set, svgElement } from './svg.js';

export function createArrow() {
  const parts = {
    root: svgElement('g', 'graph-arrow'),
    title: svgElement('title'),
    line: svgElement('path', 'graph-line'),
    hit: svgElement('path', 'graph-hit'), // wide enough for the pointer
    head: svgElement('path', 'graph-head'),
    label: svgElement('g', 'graph-label'),
    plate: svgElement('rect', 'graph-plate'), // behind the text, so that no arrow crosses it
    text: svgElement('text'),
  };
  const { root, title, line, hit, head, label, plate, text } = parts;
  root.append(title, line, hit, head);
  set(text, { 'text-anchor': 'middle', y: 4 });
  set(plate, { y: -sizes.labelHeight / 2, height: sizes.labelHeight });
  label.append(plate, text);
  return {
    root,
    label,
    /** `way` is one of routes() (model/graphlayout.js); what: { text, title, share (of the heaviest), marks } */
    show: (way, what) => show(parts, way, what),
  };
}

function show({ root, title, line, hit, head, label, plate, text }, way, what) {
  const [start, bend, turn, [x, y]] = way.points;
  const width = 1 + 7 * what.share;
  const size = 5 + 0.6 * width;
  const [dx, dy] = way.heading;
  const neck = [x - dx * size, y - dy * size];
  const wing = size * 0.7;
  const path = `M${start} C${bend} ${turn} ${neck}`;
  const [left, right] = [1, -1].map((side) => `${neck[0] + side * dy * wing} ${neck[1] + side * dx * wing}`);
  set(line, { d: path, 'stroke-width': width });
  set(hit, { d: path });
  set(head, { d: `M${x} ${y} L${left} L${right} Z` });
  for (const node of [root, label]) set(node, { 'data-kind': way.kind, ...what.marks });
  setText(title, what.title);
  set(label, { visibility: way.label ? null : 'hidden' });
  if (way.label === null) return;
  set(label, { transform: `translate(${way.label.x.toFixed(1)} ${way.label.y.toFixed(1)})` });
  set(plate, { x: -way.label.width / 2, width: way.label.width });
  setText(text, what.text);
}
