// lanes.js - where each context and depth of a timeline lies: a lane per context, a row per depth.

const headPx = 20;
const footPx = 6;

const kindWords = { thread: 'thread', isr: 'interrupt', idle: 'idle' };
const ranks = { isr: 1, idle: 2 }; // threads, and what nobody told the kind of, come before these

/** What a context is, in a word; '' when nobody told. */
export const contextKind = (context) => kindWords[context?.kind] ?? '';

/** "main · thread": what a context is called, and what it is. */
export function contextName(context, id) {
  const name = context?.name ? context.name : `Context ${id}`;
  const kind = contextKind(context);
  return kind && kind !== name.toLowerCase() ? `${name} · ${kind}` : name;
}

/** Adds the depths of the pictures to `known`, a map from context to { least, most }: lanes only ever grow. */
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

/**
 * { lanes: [{ context, label, least, rows, collapsed, top, rowsTop, bottom }], height } in pixels from the top. A
 * collapsed lane shows its first row only.
 */
export function layLanes(known, contexts, collapsed, rowPx) {
  const lanes = [];
  let top = 0;
  const order = inOrder(contexts);
  for (const [context, { least, most }] of [...known].sort(([a], [b]) => order(a, b))) {
    const folded = collapsed.has(context);
    const rows = folded ? 1 : most - least + 1;
    const rowsTop = top + headPx;
    const bottom = rowsTop + rows * rowPx + footPx;
    lanes.push({
      context,
      label: contextName(contexts.get(context), context),
      least,
      depths: most - least + 1,
      rows,
      collapsed: folded,
      top,
      rowsTop,
      bottom,
    });
    top = bottom;
  }
  return { lanes, height: top };
}

/** { lane, depth } at y pixels from the top (depth -1: between rows), or null. */
export function laneAt({ lanes }, y, rowPx) {
  const lane = lanes.find(({ top, bottom }) => y >= top && y < bottom);
  if (lane === undefined) return null;
  const row = Math.floor((y - lane.rowsTop) / rowPx);
  return { lane, depth: row >= 0 && row < lane.rows ? lane.least + row : -1 };
}

/** Pixels from the top of the row of a context and depth, or -1 while it is not shown. */
export function rowTop({ lanes }, context, depth, rowPx) {
  const lane = lanes.find((one) => one.context === context);
  const row = lane === undefined ? -1 : depth - lane.least;
  return row < 0 || row >= lane.rows ? -1 : lane.rowsTop + row * rowPx;
}
