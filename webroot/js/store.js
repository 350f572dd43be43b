// store.js - observable values: its owner can read it, set it and subscribe to changes.

/** A cell with `get`, `set` and `subscribe`. Setting the same value again calls no subscriber. */
export function value(initial) {
  let current = initial;
  const listeners = new Set();
  return {
    get: () => current,
    set(next) {
      if (Object.is(next, current)) return;
      const before = current;
      current = next;
      for (const listener of [...listeners]) listener(current, before);
    },
    /** Calls `listener(now, before)` after each change; returns the function that ends it. */
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
