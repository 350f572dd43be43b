// stacksizes.js - how large the stacks of tasks are, as the reader has filled in: kept by the browser, under the names of the tasks.

const key = 'miniprofd stack sizes';
const most = 200; // names that are kept

/** `store()` answers localStorage or its like, or throws; what it refuses is kept until the page is closed. */
export class StackSizes {
  #sizes;
  #store;

  constructor(store) {
    this.#store = store;
    this.#sizes = new Map();
    try {
      const rows = JSON.parse(store().getItem(key)) ?? [];
      this.#sizes = new Map(rows.filter(([name, size]) => typeof name === 'string' && Number.isSafeInteger(size) && size > 0));
    } catch {
      // Nothing is kept, or it is no list: there are no sizes.
    }
  }

  /** In bytes, or null. */
  of(name) {
    return this.#sizes.get(name) ?? null;
  }

  /** Reads "1024", "1,024 B", "1 k", "0x400" or "" (none). False where it is no size. */
  set(name, text) {
    const size = readSize(text);
    if (size === undefined) return false;
    this.#sizes.delete(name);
    if (size !== null) this.#sizes.set(name, size);
    try {
      this.#store().setItem(key, JSON.stringify([...this.#sizes].slice(-most)));
    } catch {
      // Kept until the page is closed.
    }
    return true;
  }
}

/** Bytes; null of no text, undefined where it makes no sense. */
export function readSize(text) {
  const plain = text.replace(/[\s,]/g, '').toLowerCase();
  if (plain === '') return null;
  const [, digits, unit] = /^(0x[0-9a-f]{1,8}|\d{1,10})(k|kb|kib|b)?$/.exec(plain) ?? [];
  const size = Number(digits) * (unit?.startsWith('k') ? 1024 : 1);
  return digits !== undefined && size > 0 && Number.isSafeInteger(size) ? size : undefined;
}
