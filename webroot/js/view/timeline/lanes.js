// lanes.js - the lanes of the timeline: which there are, which are folded, pinned, hidden or moved, and the buttons that change it.

import { setText } from '../../dom.js';
import { hideLane, laneKey, moveLane, pinLane, putLane } from '../../model/lanechoice.js';
import { lanesRowPx, layLanes, learnDepths } from '../../model/lanes.js';
import { createLaneHeads } from './laneheads.js';

/**
 * `sheet` is the element that is as high as all lanes, `frame` the one that is as high as what is seen of it; `changed()` is called when
 * one was folded, `spoken` announces what was done.
 */
export function createLanes({ host, sheet, frame, spoken, changed }) {
  const state = {
    host,
    changed,
    depths: new Map(), // of each context; they only grow, so that nothing jumps
    folded: new Set(),
    layout: { lanes: [], height: 0, held: 0, hidden: [] },
    say: (lane, words) => setText(spoken, `${lane.label}: ${words}`),
  };
  const act = (what, context) => actOn(state, what, context);
  const drop = (lane, to) => go(state, lane, putLane(host.place, state.layout.lanes, lane.key, to), 'moved');
  const heads = createLaneHeads({ host, sheet, frame, act, drop });
  return {
    /** The result of layLanes(). */
    get layout() {
      return state.layout;
    },
    /** The number of rows of calls to request. */
    get rows() {
      let sum = 0;
      for (const { least, most } of state.depths.values()) sum += most - least + 1;
      return Math.max(sum, 1);
    },
    forget: () => state.depths.clear(),
    /** room: the height of the lanes' window, which they fill. Returns the height of a row: `leastPx` or more. */
    lay(pictures, contexts, leastPx, room) {
      learnDepths(state.depths, pictures);
      const laid = (rowPx) => layLanes(state.depths, contexts, state.folded, rowPx, { choice: host.place, room });
      const rowPx = lanesRowPx(laid(leastPx), leastPx, room);
      state.layout = laid(rowPx);
      heads.show(state.layout);
      return rowPx;
    },
    shows: (context) => !state.layout.hidden.includes(context),
    act,
    /** Shows all hidden lanes; false if none is hidden. */
    showHidden() {
      if (state.layout.hidden.length === 0) return false;
      host.go({ without: [] });
      return true;
    },
    /** Shows the rows of a context; true if they were folded or hidden. */
    reveal: (context) => reveal(state, context),
    /** The context of the lane whose button has the focus, or null. */
    focused: () => heads.focused(),
    /** Hides the heads of lanes that are scrolled below the pinned ones. */
    cover: (scroll) => heads.cover(state.layout.held, scroll),
  };
}

function reveal({ host, layout, folded }, context) {
  const isHidden = layout.hidden.includes(context);
  const names = [laneKey(host.whole.contexts, context), `#${context}`];
  if (isHidden) host.go({ without: host.place.without.filter((one) => !names.includes(one)) }, { replace: true });
  return folded.delete(context) || isHidden;
}

/** Goes where a lane is as wanted, and announces it; null: it is that already. */
function go({ host, say }, lane, change, words) {
  if (change === null) return true;
  host.go(change, { replace: true });
  say(lane, words);
  return true;
}

const move = (step, words) => (state, lane) => go(state, lane, moveLane(state.host.place, state.layout.lanes, lane.key, step), words);

const acts = {
  fold({ folded, changed }, { context }) {
    if (!folded.delete(context)) folded.add(context);
    changed();
    return true;
  },
  pin: (state, lane) => go(state, lane, pinLane(state.host.place, lane.key), lane.isPinned ? 'not pinned any more' : 'pinned to the top'),
  hide({ host, layout, say }, lane) {
    if (layout.lanes.length === 1) {
      say(lane, 'the last lane stays');
      return true;
    }
    const { call } = host.place; // a hidden call must not stay selected
    host.go({ ...hideLane(host.place, lane.key), call: call.startsWith(`${lane.context}-`) ? '' : call });
    say(lane, 'hidden; u shows it again');
    return true;
  },
  up: move(-1, 'moved up'),
  down: move(1, 'moved down'),
};

/** what: 'fold', 'pin', 'hide', 'up' or 'down'; without a context, of the first lane. */
function actOn(state, what, context = null) {
  const { lanes } = state.layout;
  const lane = lanes.find((one) => one.context === context) ?? lanes[0];
  return lane !== undefined && acts[what](state, lane);
}
