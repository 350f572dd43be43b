// calltree.js - the daemon's call tree as parallel columns that grow.
//
// Columns instead of objects: 100,000 nodes are six typed arrays, not 100,000 objects for the garbage
// collector. A count that the daemon does not know (null) is NaN here.

const columns = ['parent', 'function', 'context', 'calls', 'total_ticks', 'self_ticks'];
const field = { function: 'fn', total_ticks: 'total', self_ticks: 'self' };
const known = (number) => (number === null || number === undefined ? NaN : number);

export class CallTree {
  constructor(capacity = 256) {
    this.length = 0;
    this.parent = new Int32Array(capacity);
    this.fn = new Int32Array(capacity);
    this.context = new Int32Array(capacity);
    this.calls = new Float64Array(capacity);
    this.total = new Float64Array(capacity);
    this.self = new Float64Array(capacity);
  }

  #reserve(rows) {
    if (rows <= this.parent.length) return;
    const capacity = Math.max(rows, this.parent.length * 2);
    for (const column of columns) {
      const name = field[column] ?? column;
      const wider = new this[name].constructor(capacity);
      wider.set(this[name].subarray(0, this.length));
      this[name] = wider;
    }
  }

  #set(row, rows, from) {
    this.parent[row] = rows.parent[from];
    this.fn[row] = rows.function[from];
    this.context[row] = rows.context?.[from] ?? 0;
    this.calls[row] = known(rows.calls[from]);
    this.total[row] = known(rows.total_ticks[from]);
    this.self[row] = known(rows.self_ticks[from]);
  }

  /** Takes the `call_tree` of a snapshot in place of everything held so far. */
  load(rows) {
    const n = rows?.parent?.length ?? 0;
    this.length = 0;
    this.#reserve(n);
    for (let i = 0; i < n; i++) this.#set(i, rows, i);
    this.length = n;
  }

  /** Sets or appends the rows of a delta; `rows.index` says where each belongs. */
  apply(rows) {
    const n = rows?.index?.length ?? 0;
    for (let i = 0; i < n; i++) {
      const row = rows.index[i];
      if (row >= this.length) {
        this.#reserve(row + 1);
        this.length = row + 1;
      }
      this.#set(row, rows, i);
    }
  }

  copy() {
    const twin = new CallTree(Math.max(this.length, 1));
    for (const column of columns) {
      const name = field[column] ?? column;
      twin[name].set(this[name].subarray(0, this.length));
    }
    twin.length = this.length;
    return twin;
  }

  /** The snapshot's form of it, NaN as null again. */
  toRows() {
    const rows = {};
    for (const column of columns) {
      const cells = this[field[column] ?? column].subarray(0, this.length);
      rows[column] = Array.from(cells, (cell) => (Number.isNaN(cell) ? null : cell));
    }
    return rows;
  }
}
