// joindeltas.js - two deltas of the stream as one: what changed twice is in it once.

const idOf = ({ id }) => id;
const arcOf = ({ caller, callee }) => `${caller} ${callee}`;
const lists = { functions: idOf, checkpoints: idOf, contexts: idOf, arcs: arcOf }; // of rows, and what distinguishes one from another

/** The rows of both, with the later one of each key. */
function joinRows(first, next, keyOf) {
  const rows = new Map(first.map((row) => [keyOf(row), row]));
  for (const row of next) rows.set(keyOf(row), row);
  return [...rows.values()];
}

/** Appends the columns of `next`; of two rows with the same index the later one counts. */
const joinColumns = (first, next) => Object.fromEntries(Object.keys(next).map((name) => [name, first[name].concat(next[name])]));

/** A new delta equal to `first` followed by `next`. `next` begins where `first` ends, or earlier. */
export function joinDeltas(first, next) {
  const joined = { ...first, ...next, since: Math.min(first.since, next.since) };
  for (const [name, keyOf] of Object.entries(lists)) {
    if (first[name] && next[name]) joined[name] = joinRows(first[name], next[name], keyOf);
  }
  if (first.call_tree && next.call_tree) joined.call_tree = joinColumns(first.call_tree, next.call_tree);
  if (first.messages && next.messages) joined.messages = first.messages.concat(next.messages);
  return joined;
}
