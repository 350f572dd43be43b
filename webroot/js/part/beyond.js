// beyond.js - a button below a table that names the columns beyond its right edge, and scrolls to them.

import { el, setText } from '../dom.js';

const namedMost = 3;

/** `root` is the button; show() follows what is visible now. `table` is what createTable() answers. */
export function createBeyond({ root: scroller }) {
  const press = () => {
    scroller.scrollLeft = scroller.scrollWidth;
    scroller.focus();
  };
  const root = el('button', { type: 'button', class: 'button small beyond', title: 'Scroll to these columns', hidden: true, onclick: press });
  let shown = '';
  return {
    root,
    show() {
      const { scrollLeft, clientWidth } = scroller;
      const heads = scroller.querySelectorAll('thead th');
      const now = () => [scroller.scrollLeft, scroller.scrollWidth, clientWidth, heads.length].join();
      if (now() === shown) return;
      hideCut(scroller, heads);
      shown = now();
      const names = [...heads].filter((head) => head.offsetLeft + head.offsetWidth > scrollLeft + clientWidth + 1).map((head) => head.textContent);
      root.hidden = names.length === 0;
      setText(root, `${names.length > namedMost ? `${names.length} more columns` : names.join(', ')} ▸`);
    },
  };
}

/**
 * Figures that the right edge would cut are not shown: what is left of 85.7 reads as 85. Before the table is scrolled, the columns
 * that grow by `--spare` (the style sheet of the table) have their room.
 */
function hideCut(scroller, heads) {
  const table = scroller.querySelector('table');
  const edge = scroller.scrollLeft + scroller.clientWidth;
  const cutHead = () => [...heads].find((head) => head.offsetLeft < edge - 1 && head.offsetLeft + head.offsetWidth > edge + 1 && getComputedStyle(head).textAlign === 'right');
  if (scroller.scrollLeft === 0) {
    const give = (px) => table.style.setProperty('--spare', `${px}px`);
    give(0);
    const first = cutHead();
    if (first) {
      const spare = edge - first.offsetLeft;
      give(spare);
      const { offsetLeft, offsetWidth } = first.previousElementSibling;
      const over = offsetLeft + offsetWidth - edge; // the other columns may have grown with the table
      if (over > 0) give(Math.max(spare - over, 0));
    }
  }
  const cut = cutHead();
  table.style.maskImage = cut === undefined ? '' : `linear-gradient(to right, #000 ${cut.offsetLeft}px, transparent 0)`;
}
