// lanes.js - the lanes of the timeline: which there are, which are folded, and the buttons that say so.

import { button, setAttr } from '../../dom.js';
import { plural } from '../../model/format.js';
import { layLanes, learnDepths } from '../../model/lanes.js';

/** `sheet` is the element that is as high as all lanes; `changed()` is called when one was folded. */
export function createLanes(sheet, changed) {
  const depths = new Map(); // of each context; they only grow, so that nothing jumps while moving about
  const folded = new Set();
  let shown = '';
  const lanes = {
    layout: { lanes: [], height: 0 },
    /** How many rows of calls there are to ask for. */
    get rows() {
      let sum = 0;
      for (const { least, most } of depths.values()) sum += most - least + 1;
      return Math.max(sum, 1);
    },
    forget: () => depths.clear(),
    lay,
    fold,
    /** Shows the rows of a context; true when they were folded. */
    unfold: (context) => folded.delete(context),
  };

  function lay(pictures, contexts, rowPx) {
    learnDepths(depths, pictures);
    lanes.layout = layLanes(depths, contexts, folded, rowPx);
    const key = lanes.layout.lanes.map(({ label, top, collapsed }) => `${label} ${top} ${collapsed}`).join('\n');
    if (key === shown) return;
    shown = key;
    const focused = sheet.contains(document.activeElement) ? document.activeElement.dataset.context : null;
    for (const old of sheet.querySelectorAll('button')) old.remove();
    for (const { context, label, top, collapsed, depths: rows } of lanes.layout.lanes) {
      const head = button('down', label, () => fold(context), {
        tip: `${collapsed ? 'Unfold' : 'Fold'} the lane (c): ${plural(rows, 'level')} of calls`,
      });
      head.className = 'lane-head';
      head.dataset.context = context;
      setAttr(head, 'aria-expanded', String(!collapsed));
      head.style.top = `${top + 1}px`;
      sheet.append(head);
      if (focused === String(context)) head.focus({ preventScroll: true });
    }
  }

  function fold(context = lanes.layout.lanes[0]?.context) {
    if (context === undefined) return false;
    if (!folded.delete(context)) folded.add(context);
    changed();
    return true;
  }

  return lanes;
}
