// walk.js - from one thing of the timeline to the next: calls by arrows, markers, matches of the search.

/**
 * view: { sight() in ticks, selected() an item or null, pictureAt(ticks), data (timeline/data.js), select(item) shows
 * an item, pan(share), say(words) }.
 */
export function createWalk(view) {
  /** The outermost call nearest to the middle of what is in sight. */
  function firstInSight() {
    const { from, to } = view.sight();
    const middle = (from + to) / 2;
    const picture = view.pictureAt(middle);
    for (const segment of picture?.segments.values() ?? []) {
      const i = picture.at(segment.context, segment.depth, middle, (to - from) / 2);
      if (i >= 0) return picture.item(i, segment);
    }
    return null;
  }

  return {
    /** way: 'before', 'after', 'caller' or 'callee'. */
    call(way) {
      const sight = view.sight();
      if (sight === null) return false;
      const now = view.selected();
      if (now?.kind !== 'call' || now.end <= sight.from || now.start >= sight.to) {
        const first = firstInSight();
        return first !== null && view.select(first);
      }
      const picture = view.pictureAt(Math.max(now.start, sight.from));
      const next =
        way === 'caller'
          ? picture.callerOf(now)
          : way === 'callee'
            ? picture.calleeOf(now)
            : picture.beside(now, way === 'after' ? 1 : -1);
      if (next !== null) return view.select(next);
      // There may be more further on.
      if (way === 'before' || way === 'after') view.pan(way === 'after' ? 0.4 : -0.4);
      return true;
    },

    marker(step) {
      const sight = view.sight();
      if (sight === null) return false;
      const now = view.selected();
      const from = now?.kind === 'marker' ? now.start : step > 0 ? sight.from : sight.to;
      let found = null;
      for (const picture of view.data.pictures) {
        const one = picture.nextMarker(from, step);
        if (one !== null && (found === null || step * (one.start - found.start) <= 0)) found = one;
      }
      if (found !== null) return view.select(found);
      view.say(step > 0 ? 'No later marker' : 'No earlier marker');
      return true;
    },

    /** The next call of a function that `hits` marks; false when none is known. */
    match(hits, step) {
      const sight = view.sight();
      const now = view.selected()?.kind === 'call' ? view.selected() : null;
      const from = step > 0 ? sight.from : sight.to;
      const near = view.pictureAt(Math.min(Math.max(now?.start ?? from, sight.from), sight.to));
      const found =
        near?.nextHit(hits, step, now, from) ?? view.data.overview?.nextHit(hits, step, now, from) ?? null;
      return found !== null && view.select(found);
    },
  };
}
