// keep.js - a value that survives a reload of this tab: it is in IndexedDB, its key in sessionStorage.
//
// Browsers may refuse or forget either; then nothing is kept, and the caller gets an error.

const database = 'miniprofd';
const valuesMost = 4; // of all tabs together; older ones are removed

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('in use'));
  });

async function within(store, mode, work) {
  const opening = indexedDB.open(database, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(store);
  const db = await done(opening);
  try {
    const transaction = db.transaction(store, mode);
    const ended = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
    ended.catch(() => {}); // the work reports it, too
    const result = await work(transaction.objectStore(store));
    await ended;
    return result;
  } finally {
    db.close();
  }
}

/** Keeps one value for this tab under `name`. */
export function createKeep(name) {
  const key = () => sessionStorage.getItem(name);
  return {
    /** True when the value was kept. */
    async save(value) {
      try {
        const id = `${Date.now()} ${Math.random()}`;
        await within(name, 'readwrite', async (store) => {
          const before = key();
          if (before !== null) store.delete(before);
          await done(store.put(value, id));
          const all = await done(store.getAllKeys());
          for (const old of all.slice(0, -valuesMost)) store.delete(old);
        });
        sessionStorage.setItem(name, id);
        return true;
      } catch {
        this.forget();
        return false;
      }
    },
    /** { value, lost }: lost means that there was one, which has been deleted. */
    async load() {
      try {
        const id = key();
        if (id === null) return { value: null, lost: false };
        const value = (await within(name, 'readonly', (store) => done(store.get(id)))) ?? null;
        return { value, lost: value === null };
      } catch {
        return { value: null, lost: true };
      }
    },
    forget() {
      try {
        const id = key();
        sessionStorage.removeItem(name);
        if (id !== null) within(name, 'readwrite', (store) => done(store.delete(id))).catch(() => {});
      } catch {
        // Nothing was kept.
      }
    },
  };
}
