// contextcolour.js - the colour of a context, the same wherever it is shown: six strong ones, told apart by their order.

const colours = 6;

/** The number of the colour of each context of a profile, 1 to 6, by its id; idle ones have none. */
export function contextColours({ contexts }) {
  const ids = [...contexts.values()].filter(({ kind }) => kind !== 'idle').map(({ id }) => id);
  return new Map(ids.sort((a, b) => a - b).map((id, at) => [id, 1 + (at % colours)]));
}
