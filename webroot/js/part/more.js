// more.js - a row that scrolls sideways says at which of its ends more can be scrolled into view.

import { setAttr } from '../dom.js';

function mark(row) {
  const before = row.scrollLeft > 1;
  const after = row.scrollLeft + row.clientWidth < row.scrollWidth - 1;
  setAttr(row, 'data-more', before && after ? 'both' : before ? 'before' : after ? 'after' : null);
}

/** The style sheet has it fade there (css/bar.css). `row` has its children already; they may change their widths. Answers it. */
export function markMore(row) {
  const observer = new ResizeObserver(() => mark(row));
  for (const one of [row, ...row.children]) observer.observe(one);
  row.addEventListener('scroll', () => mark(row));
  return row;
}
