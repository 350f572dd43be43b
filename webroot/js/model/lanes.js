// lanes.js - the position of each context and depth on the timeline: a lane per context, a row per depth.

import { arrangeLanes, laneKey, noChoice } from './lanechoice.js';

const headPx = 20;
const footPx = 6;

const kindWords = { thread: 'thread', isr: 'interrupt', idle: 'idle' };
const ranks = { isr: 1, idle: 2 }; // threads, and contexts of unknown kind, come before these

/** The kind of a context, in a word; '' when unknown. */
export const contextKind = (context) => kindWords[context?.kind] ?? '';

/** The name and kind of a context: "main · thread". */
export function contextName(context, id) {
  const name = context?.name ? context.name : `Context ${id}`;
  const kind = contextKind(context);
  return kind && kind !== name.toLowerCase() ? `${name} · ${kind}` : name;
}

/** Adds the depths in the pictures to `known`, a map from context to { least, most }: lanes only grow. */
export function learnDepths(known, pictures) {
  for (const picture of pictures) {
    for (const { context, depth } of [...picture.segments.values(), ...(picture.away?.segments.values() ?? [])]) {
      const depths = known.get(context);
      if (depths === undefined) known.set(context, { least: depth, most: depth });
      else {
        depths.least = Math.min(depths.least, depth);
        depths.most = Math.max(depths.most, depth);
      }
    }
  }
  return known;
}

/** Threads first, then interrupts, idle threads last. */
const inOrder = (contexts) => (a, b) => (ranks[contexts.get(a)?.kind] ?? 0) - (ranks[contexts.get(b)?.kind] ?? 0) || a - b;

const heldShare = 0.5; // of the height: the least that is left for lanes that scroll

/**
 * { lanes: [{ context, key, label, least, rows, collapsed, isPinned, top, rowsTop, bottom }], height, held, hidden } in pixels from the
 * top. A collapsed lane shows its first row only. choice: a place, of which the parts of model/lanechoice.js count; room: how high the
 * window is. `held` is how many pixels at the top stay while the rest scrolls: the pinned lanes that fit. `hidden` are contexts.
 */
export function layLanes(known, contexts, collapsed, rowPx, { choice = noChoice, room = 0 } = {}) {
  const lanes = [];
  let [top, held] = [0, 0];
  const { shown, pinned, hidden } = arrangeLanes([...known.keys()].sort(inOrder(contexts)), contexts, choice);
  for (const context of shown) {
    const { least, most } = known.get(context);
    const isPinned = pinned.has(context);
    const folded = collapsed.has(context);
    const rows = folded ? 1 : most - least + 1;
    const rowsTop = top + headPx;
    const bottom = rowsTop + rows * rowPx + footPx;
    lanes.push({
      context,
      key: laneKey(contexts, context),
      isPinned,
      label: contextName(contexts.get(context), context),
      least,
      depths: most - least + 1,
      rows,
      collapsed: folded,
      top,
      rowsTop,
      bottom,
    });
    if (isPinned && held === top && bottom <= room * heldShare) held = bottom;
    top = bottom;
  }
  return { lanes, height: top, held, hidden };
}

const rowMostPx = 64;

/**
 * The height of a row in a window of `room` pixels: `leastPx`, with which `layout` was laid out, or more if lanes would
 * not fill it.
 */
export function lanesRowPx({ lanes, height }, leastPx, room) {
  const rows = lanes.reduce((sum, lane) => sum + lane.rows, 0);
  return Math.max(Math.min(leastPx + Math.floor((room - height) / Math.max(rows, 1)), rowMostPx), leastPx);
}

/** Converts `y` in a window scrolled by `scroll` pixels to pixels from the top of all lanes. */
export const fromTop = ({ held }, y, scroll) => (y < held ? y : y + scroll);

/** { lane, depth } at y pixels from the top (depth -1: outside of rows), or null. */
export function laneAt({ lanes }, y, rowPx) {
  const lane = lanes.find(({ top, bottom }) => y >= top && y < bottom);
  if (lane === undefined) return null;
  const row = Math.floor((y - lane.rowsTop) / rowPx);
  return { lane, depth: row >= 0 && row < lane.rows ? lane.least + row : -1 };
}

/** Pixels from the top to the row of a context and depth; -1 if it is not shown. */
export function rowTop({ lanes }, context, depth, rowPx) {
  const lane = lanes.find((one) => one.context === context);
  const row = lane === undefined ? -1 : depth - lane.least;
  return row < 0 || row >= lane.rows ? -1 : lane.rowsTop + row * rowPx;
}
