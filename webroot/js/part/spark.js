// spark.js - a small curve beside a name.

import { setAttr } from '../dom.js';
import { sparkPath } from '../model/spark.js';

const svg = (tag, attributes) => {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
};
const [wide, high] = [120, 24];

/** { root, show(values, most, words) }: see model/spark.js; `words` are for screen readers, `colour` is that of a context (model/contextcolour.js). */
export function createSpark() {
  const path = svg('path', {});
  const root = svg('svg', { class: 'spark', viewBox: `0 0 ${wide} ${high}`, preserveAspectRatio: 'none', role: 'img' });
  root.append(path);
  return {
    root,
    show(values, most, words, colour = null) {
      setAttr(path, 'd', sparkPath(values, most, wide, high));
      setAttr(root, 'data-colour', colour);
      setAttr(root, 'data-unknown', values.length === 0 ? '' : null); // unlike no values in any column
      setAttr(root, 'aria-label', words);
    },
  };
}
