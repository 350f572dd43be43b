// labels.mjs - computes the labels of functions in exports with names only (daemon/export/labels.h), from our JSON.

const baseName = (path) => (path ?? '').replace(/^.*\//s, '');

/** The label of each function of a snapshot, by its number. */
export function labelsOf({ functions }) {
  const placed = functions.filter((fn) => fn.kind === 'function' && fn.address !== null);
  return functions.map((fn) => {
    const others = placed.includes(fn) ? placed.filter((other) => other !== fn && other.name === fn.name) : [];
    if (others.length === 0) return fn.name;
    const shares = (of) => others.some((other) => of(other.file) === of(fn.file));
    if (fn.file === null || shares((file) => file ?? '')) return `${fn.name} [${fn.address}]`;
    return `${fn.name} [${shares(baseName) ? fn.file : baseName(fn.file)}]`;
  });
}
