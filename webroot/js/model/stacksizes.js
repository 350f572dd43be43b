// stacksizes.js - stack sizes that the user entered for tasks, stored by the browser under the tasks' names.

const key = 'miniprofd stack sizes';
const most = 200; // names stored

/**
 * `store()` returns localStorage or a substitute, or throws; sizes that cannot be stored last until the page is closed.
 */
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
      // Nothing stored, or not a list: there are no sizes.
    }
  }

  /** In bytes, or null. */
  of(name) {
    return this.#sizes.get(name) ?? null;
  }

  /** Parses "1024", "1,024 B", "1 k", "0x400" or "" (none). Returns false for anything else. */
  set(name, text) {
    const size = readSize(text);
    if (size === undefined) return false;
    this.#sizes.delete(name);
    if (size !== null) this.#sizes.set(name, size);
    try {
      this.#store().setItem(key, JSON.stringify([...this.#sizes].slice(-most)));
    } catch {
      // Lasts until the page is closed.
    }
    return true;
  }
}

/** Bytes; null for an empty text, undefined if invalid. */
export function readSize(text) {
  const plain = text.replace(/[\s,]/g, '').toLowerCase();
  if (plain === '') return null;
  const [, digits, unit] = /^(0x[0-9a-f]{1,8}|\d{1,10})(k|kb|kib|b)?$/.exec(plain) ?? [];
  const size = Number(digits) * (unit?.startsWith('k') ? 1024 : 1);
  return digits !== undefined && size > 0 && Number.isSafeInteger(size) ? size : undefined;
}
