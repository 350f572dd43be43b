// innermost.js - finds the call that ran at a given time.

/** The deepest call at `ticks`, in the context whose deepest call started last; an item, or null. */
export function innermostAt(picture, ticks) {
  const deepest = new Map(); // context -> item
  for (const segment of picture.segments.values()) {
    const { context, depth } = segment;
    if (depth < (deepest.get(context)?.depth ?? -Infinity)) continue;
    const i = picture.at(context, depth, ticks);
    if (i >= 0) deepest.set(context, picture.item(i, segment));
  }
  const [first = null] = [...deepest.values()].sort((a, b) => b.start - a.start);
  return first;
}
