// buffers.js - what one thread hands over to another without a copy being made.

/** The buffers of the typed arrays among `columns`, each once: two columns may be the same, and none can be handed over twice. */
export const buffersOf = (columns) => [...new Set(Object.values(columns).filter(ArrayBuffer.isView).map(({ buffer }) => buffer))];
