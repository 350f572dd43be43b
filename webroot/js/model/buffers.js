// buffers.js - finds the buffers that one thread can transfer to another.

/**
 * The buffers of the typed arrays among `columns`, each once: two columns may share one, and a buffer can be
 * transferred only once.
 */
export const buffersOf = (columns) => [...new Set(Object.values(columns).filter(ArrayBuffer.isView).map(({ buffer }) => buffer))];
