// layers.js - selects which of the kept pictures (data.js) draw the visible range.

/** The picture that shows most of the visible range finely enough, or null. */
function bestOf(pictures, sight, grain) {
  let best = null;
  let bestScore = 0;
  const span = sight.to - sight.from;
  for (const picture of pictures) {
    const share = Math.max(Math.min(sight.to, picture.to) - Math.max(sight.from, picture.from), 0) / span;
    const coarse = Math.max(Math.log2(picture.grain / grain), 0);
    const score = share - Math.min(coarse * 0.1, 0.9) + (picture.covers(sight.from, sight.to) ? 1 : 0);
    if (share > 0 && score >= bestScore) [best, bestScore] = [picture, score];
  }
  return best;
}

/**
 * The parts of the visible range and their pictures, without overlap: [{ picture, from, to }]: the picture that shows
 * most of it finely enough, and the overview left and right of it. `grain` is ticks per pixel.
 *
 * The overview is not used for time after the newest picture, nor at all while following (`isLive`): its columns would
 * look like calls that were never made. Nothing is drawn there until data arrives.
 */
export function layersOf({ overview, parts, held, trouble }, { from: begin, to: end }, grain, isLive = false) {
  const sight = { from: begin, to: Math.min(end, held.newest) };
  if (sight.to <= sight.from) return [];
  const best = bestOf(parts, sight, grain);
  if (best === null) return overview === null || (isLive && trouble === '') ? [] : [{ picture: overview, ...sight }];
  const all = best.covers(sight.from, sight.to);
  const isNewest = isLive || best.to >= best.newest; // as far as was known at its request
  const from = all ? sight.from : Math.max(sight.from, best.from);
  const to = Math.min(sight.to, isNewest ? Math.min(best.to, best.newest) : all ? sight.to : best.to);
  const list = to > from ? [{ picture: best, from, to }] : [];
  if (overview !== null && from > sight.from) list.unshift({ picture: overview, from: sight.from, to: Math.min(from, sight.to) });
  if (overview !== null && to < sight.to && !isNewest) list.push({ picture: overview, from: to, to: sight.to });
  return list;
}
