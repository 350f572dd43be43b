// pursue.js - to the longest call in sight. Where it is merged with others the sight comes closer, and when a finer picture of that is there
// it goes on, until the call stands alone.

import { longestInSight } from './walk.js';

const stepsMost = 20;

function step(view, left) {
  const { walking, sight } = view;
  const item = longestInSight(walking, view.lit.hits);
  view.pursuit = null;
  if (item === null) return false;
  if (item.calls === 1) return walking.select(item);
  walking.zoomTo(item, left === stepsMost); // one key is one step for Back
  if (left > 0) view.pursuit = { ...sight.now, left };
  return true;
}

export const pursueLongest = (view) => step(view, stepsMost);

/** Goes on, now that there is more to draw, unless the reader has gone elsewhere. */
export function pursueOn(view) {
  const { pursuit, sight } = view;
  if (pursuit === null) return;
  view.pursuit = null;
  if (sight.now?.from === pursuit.from && sight.now?.to === pursuit.to) step(view, pursuit.left - 1);
}
