// pieces.js - splits the many rows of a delta into pieces, which the reader's thread sends to the page one by one.
//
// The page copies what a thread sends to it: 2,000 rows of functions take half of a frame's time, in which the page has
// other work. With a pause after each piece the page draws in between.

export const rowsMost = 400; // of a piece

/** Returns the pieces { rows } of a delta that come before { event, data }, and removes them from `data`. */
export function takePieces(event, data) {
  if (event !== 'delta' || !(data.functions?.length > rowsMost)) return [];
  const { functions } = data;
  const pieces = [];
  let at = 0;
  for (; at + rowsMost < functions.length; at += rowsMost) pieces.push({ rows: functions.slice(at, at + rowsMost) });
  data.functions = functions.slice(at);
  return pieces;
}

/** Returns the delta with the rows of its pieces. */
export function withPieces(pieces, data) {
  return pieces.length === 0 ? data : { ...data, functions: [...pieces.flat(), ...data.functions] };
}
