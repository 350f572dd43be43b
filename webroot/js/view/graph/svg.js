// svg.js - creates SVG elements.

import { setAttr } from '../../dom.js';

export function svgElement(tag, className) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  if (className) node.setAttribute('class', className);
  return node;
}

/** Sets attributes; numbers are rounded to 0.01, null removes. */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes))
    setAttr(node, name, typeof value === 'number' ? String(Math.round(value * 100) / 100) : value);
}
