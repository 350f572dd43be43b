// callcolumns.js - packs timeline answers into sorted typed arrays, which a thread can transfer without a copy.

import { buffersOf } from './buffers.js';

const tables = ['rows', 'away'];
const isNumbers = (cells) => cells.every((cell) => typeof cell === 'number');

function inOrder({ context, depth, start }, a, b) {
  return context[a] - context[b] || depth[a] - depth[b] || start[a] - start[b];
}

/** The row indices sorted by context, depth and start; null if the rows are sorted already. */
function orderOf(rows) {
  const { length } = rows.start;
  let i = 1;
  while (i < length && inOrder(rows, i - 1, i) <= 0) i++;
  if (i >= length) return null;
  return Uint32Array.from({ length }, (_, place) => place).sort((a, b) => inOrder(rows, a, b));
}

/**
 * The rows sorted, with numeric columns as typed arrays; columns with text or unknown values stay lists. Columns that
 * need no change are not copied.
 */
export function packTable(rows) {
  const order = orderOf(rows);
  const ordered = (cells) => (order === null ? cells : Array.from(order, (place) => cells[place]));
  const packed = (cells) => (order === null && ArrayBuffer.isView(cells) ? cells : isNumbers(cells) ? Float64Array.from(ordered(cells)) : ordered(cells));
  return Object.fromEntries(Object.entries(rows).map(([name, cells]) => [name, packed(cells)]));
}

/** Packs the rows of the answer. Lists the buffers that can be handed over. */
export function packCalls(answer) {
  for (const table of tables) if (answer[table]) answer[table] = packTable(answer[table]);
  return tables.flatMap((table) => buffersOf(answer[table] ?? {}));
}
