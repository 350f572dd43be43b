// pursue.js - to the longest visible call. Where it is merged with others the sight comes closer, and where or when a finer picture of
// that is there it goes on, until the call stands alone. If there is no picture yet, it begins once there is.

import { longestInSight } from './walk.js';

const stepsMost = 20;

const isSame = (one, other) => one !== null && ['start', 'end', 'calls'].every((key) => one[key] === other[key]);

/** True where calls are on their way for the first time. */
const isAwaited = ({ sight: { now }, walking }) => walking.data.held !== null && (now === null || walking.pictureAt((now.from + now.to) / 2) === null);

function step(view, left) {
  const { walking, sight } = view;
  view.pursuit = null;
  for (let before = null; left > 0; left--) {
    const item = longestInSight(walking, view.lit.hits);
    if (item === null && before === null && isAwaited(view)) {
      view.pursuit = { left };
      return true;
    }
    if (item === null) return before !== null;
    if (item.calls === 1) return walking.select(item);
    if (isSame(before, item)) {
      view.pursuit = { ...sight.now, left }; // a finer picture is on its way
      return true;
    }
    // The previous selection is not the target.
    Object.assign(view, { selected: item, hovered: null, spot: null });
    walking.zoomTo(item, left === stepsMost); // one key is one step for Back
    before = item;
  }
  return true;
}

export const pursueLongest = (view) => step(view, stepsMost);

/** Continues after new data, unless the user has moved the view. */
export function pursueOn(view) {
  const { pursuit, sight } = view;
  if (pursuit === null) return;
  view.pursuit = null;
  if (pursuit.from === undefined || (sight.now?.from === pursuit.from && sight.now?.to === pursuit.to)) step(view, pursuit.left);
}
