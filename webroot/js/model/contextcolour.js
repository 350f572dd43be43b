// contextcolour.js - the colour of a context, the same in all views: one of six strong colours, by order of ids.

const colours = 6;

/** The colour number of each context of a profile, 1 to 6, by its id; idle contexts have none. */
export function contextColours({ contexts }) {
  const ids = [...contexts.values()].filter(({ kind }) => kind !== 'idle').map(({ id }) => id);
  return new Map(ids.sort((a, b) => a - b).map((id, at) => [id, 1 + (at % colours)]));
}
