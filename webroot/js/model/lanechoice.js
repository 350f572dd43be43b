// lanechoice.js - which lanes of the timeline the reader has pinned, hidden or moved, as the address has it: by what contexts are
// called, so that a link means the same after a restart of the target.

export const noChoice = Object.freeze({ pins: [], lanes: [], without: [] });

/**
 * The name of a context in the address: with its number if the name is empty or shared. `contexts` are those of a
 * profile.
 */
export function laneKey(contexts, id) {
  const name = contexts.get(id)?.name ?? '';
  const isShared = [...contexts].some(([other, context]) => other !== id && context.name === name);
  return name === '' || isShared ? `${name}#${id}` : name;
}

/**
 * { shown, pinned, hidden }: the contexts `ids`, given in their usual order, arranged as chosen. `shown` begins with
 * pinned ones; `pinned` is a set. Lanes that were not moved follow those that were. Unknown names are kept for later.
 */
export function arrangeLanes(ids, contexts, { pins, lanes, without }) {
  const known = new Map(ids.flatMap((id) => [[`#${id}`, id], [laneKey(contexts, id), id]]));
  const named = (list) => [...new Set(list.filter((key) => known.has(key)).map((key) => known.get(key)))];
  const hidden = named(without);
  const top = named(pins).filter((id) => !hidden.includes(id));
  const rest = ids.filter((id) => !hidden.includes(id) && !top.includes(id));
  const moved = named(lanes).filter((id) => rest.includes(id));
  const shown = [...top, ...moved, ...rest.filter((id) => !moved.includes(id))];
  return { shown, pinned: new Set(top), hidden };
}

const besides = (list, key) => list.filter((one) => one !== key);

/** The change of place that pins a lane below the other pinned ones, or unpins it. */
export const pinLane = ({ pins }, key) => ({ pins: pins.includes(key) ? besides(pins, key) : [...pins, key] });

export const hideLane = ({ without }, key) => ({ without: [...besides(without, key), key] });

/**
 * The change of place that moves a lane to index `to` among the pinned, or among the other lanes; null if it is there.
 * `shown` are the lanes from the top: [{ key, isPinned }].
 */
export function putLane(place, shown, key, to) {
  const { isPinned } = shown.find((lane) => lane.key === key);
  const like = shown.filter((lane) => lane.isPinned === isPinned).map((lane) => lane.key);
  const next = besides(like, key);
  next.splice(Math.min(Math.max(to, 0), next.length), 0, key);
  if (next.join('\n') === like.join('\n')) return null;
  const name = isPinned ? 'pins' : 'lanes';
  const unseen = place[name].filter((one) => !next.includes(one)); // of contexts that are absent or hidden
  return { [name]: [...next, ...unseen] };
}

/** The same for a lane that moves up (-1) or down (+1). */
export function moveLane(place, shown, key, step) {
  const like = shown.filter(({ isPinned }) => isPinned === shown.find((lane) => lane.key === key).isPinned);
  return putLane(place, shown, key, like.findIndex((lane) => lane.key === key) + step);
}
