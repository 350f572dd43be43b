// calltree.js - the daemon's call tree as parallel columns that grow.
//
// 100,000 nodes are six typed arrays instead of 100,000 objects for the garbage collector. A count that the daemon does
// not know (null) is NaN here.

const columns = ['parent', 'function', 'context', 'calls', 'total_ticks', 'self_ticks'];
const field = { function: 'fn', total_ticks: 'total', self_ticks: 'self' };
const whole = new Set(['index', 'parent', 'function', 'context']); // never null, and small
const known = (number) => (number === null || number === undefined ? NaN : number);

function pack(name, cells, rows) {
  if (ArrayBuffer.isView(cells)) return cells;
  if (cells === undefined) return new Int32Array(rows); // a daemon without contexts
  return whole.has(name) ? Int32Array.from(cells) : Float64Array.from(cells, known);
}

/** The `call_tree` of a snapshot or delta as typed arrays; packed columns stay as they are. */
export function packRows(rows) {
  const n = rows?.parent?.length ?? 0;
  const packed = {};
  if (rows?.index !== undefined) packed.index = pack('index', rows.index, n);
  for (const column of columns) packed[column] = pack(column, rows?.[column], n);
  return packed;
}

/** An array of at least `length` numbers: `held`, or a new one with space to grow. Its numbers may be any. */
export const roomFor = (held, length) => (held?.length >= length ? held : new Float64Array(Math.ceil(length * 1.25)));

/**
 * Ticks of each row of the call tree: { own (without its callees), whole (with them) }. These arrays may be longer than
 * the tree. `held`, an earlier answer, is used again, since new memory takes longer than the sums.
 */
export function rowTimes({ length, parent, total }, held = null) {
  const own = roomFor(held?.own, length);
  const whole = roomFor(held?.whole, length).fill(0, 0, length);
  // Callees can have more time than a row's own total: a caller that has not returned has not reported its time yet.
  for (let i = length - 1; i > 0; i--) {
    const below = whole[i];
    if (total[i] > below) whole[i] = total[i];
    own[i] = whole[i] - below;
    whole[parent[i]] += whole[i];
  }
  return { own, whole };
}

export class CallTree {
  constructor(capacity = 256) {
    this.length = 0;
    this.parent = new Int32Array(capacity);
    this.fn = new Int32Array(capacity);
    this.context = new Int32Array(capacity);
    this.calls = new Float64Array(capacity);
    this.total = new Float64Array(capacity);
    this.self = new Float64Array(capacity);
    this.rowOf = new Int32Array(capacity); // daemon's node index -> row here plus 1; 0: none yet
  }

  #reserve(rows) {
    if (rows <= this.parent.length) return;
    const capacity = Math.max(rows, Math.ceil(this.parent.length * 1.25));
    for (const column of columns) {
      const name = field[column] ?? column;
      const wider = new this[name].constructor(capacity);
      wider.set(this[name].subarray(0, this.length));
      this[name] = wider;
    }
  }

  #place(index, row) {
    if (index >= this.rowOf.length) {
      const wider = new Int32Array(Math.max(index + 1, Math.ceil(this.rowOf.length * 1.25)));
      wider.set(this.rowOf);
      this.rowOf = wider;
    }
    this.rowOf[index] = row + 1;
  }

  /**
   * Replaces all rows by the `call_tree` of a snapshot; the tree keeps packed columns. Parents are row numbers of that
   * table. `index` has the numbers by which later deltas name rows; without it, these are the row numbers.
   */
  load(rows) {
    const packed = packRows(rows);
    for (const column of columns) this[field[column] ?? column] = packed[column];
    this.length = packed.parent.length;
    this.rowOf = new Int32Array(Math.max(this.length, 256));
    for (let row = 0; row < this.length; row++) this.#place(packed.index?.[row] ?? row, row);
  }

  /** Sets or appends the rows of a delta, which names rows and parents by index, parents first. */
  apply(rows) {
    if (!rows?.index?.length) return;
    const packed = packRows(rows);
    const { index, parent } = packed;
    const to = new Int32Array(index.length);
    let { length } = this;
    for (let i = 0; i < index.length; i++) {
      if (!this.rowOf[index[i]]) this.#place(index[i], length++);
      to[i] = this.rowOf[index[i]] - 1;
    }
    this.#reserve(length);
    this.length = length;
    for (let i = 0; i < index.length; i++)
      this.parent[to[i]] = parent[i] < 0 ? -1 : this.rowOf[parent[i]] - 1;
    for (const column of columns) {
      if (column === 'parent') continue;
      const held = this[field[column] ?? column];
      const from = packed[column];
      for (let i = 0; i < index.length; i++) held[to[i]] = from[i];
    }
  }

  /** The same rows with other times; the copy is for reading only. */
  withTimes(total, self) {
    return Object.assign(new CallTree(0), this, { total, self });
  }

  /** A copy of the columns that frames are made from. */
  weights() {
    const { length } = this;
    const of = (cells) => cells.slice(0, length);
    return { length, parent: of(this.parent), fn: of(this.fn), calls: of(this.calls), total: of(this.total) };
  }

  copy() {
    const twin = new CallTree(Math.max(this.length, 1));
    for (const column of columns) {
      const name = field[column] ?? column;
      twin[name].set(this[name].subarray(0, this.length));
    }
    twin.length = this.length;
    twin.rowOf = this.rowOf.slice();
    return twin;
  }

  /** The tree in the form of a snapshot, with NaN as null. */
  toRows() {
    const rows = {};
    for (const column of columns) {
      const cells = this[field[column] ?? column].subarray(0, this.length);
      rows[column] = Array.from(cells, (cell) => (Number.isNaN(cell) ? null : cell));
    }
    return rows;
  }
}
