// align.js - matches the functions of two profiles.
//
// Ids and addresses differ between builds, so functions are matched by name. Functions that share a name (static ones)
// are matched by file, or, where the file is unknown, by their order in memory.

import { isPlaceholder } from './placeholder.js';

const known = (address) => (address ? Number(address) : Infinity);
const inMemory = (a, b) => known(a.address) - known(b.address) || a.id - b.id;

function groupsByName(base, current) {
  const groups = new Map();
  const take = (functions, side) => {
    for (const fn of functions) {
      if (!fn) continue;
      let group = groups.get(fn.name);
      if (group === undefined) groups.set(fn.name, (group = { before: [], after: [] }));
      group[side].push(fn);
    }
  };
  take(base.functions, 'before');
  take(current.functions, 'after');
  return groups;
}

/** Pairs functions that share a name; calls `pair(before, after)` for each pair. */
function matchNamesakes(before, after, pair) {
  const byFile = new Map();
  for (const fn of before.sort(inMemory)) {
    if (!byFile.has(fn.file)) byFile.set(fn.file, []);
    byFile.get(fn.file).push(fn);
  }
  for (const list of byFile.values()) list.reverse(); // the code below takes from the end
  const left = [];
  for (const fn of after.sort(inMemory)) {
    const twin = fn.file ? byFile.get(fn.file)?.pop() : undefined;
    if (twin === undefined) left.push(fn);
    else pair(twin, fn);
  }
  const alone = [...byFile.values()].flatMap((list) => list.reverse()).sort(inMemory);
  let i = 0;
  for (const fn of left) {
    // Functions of two known files never match.
    while (i < alone.length && fn.file && alone[i].file) i++;
    if (i === alone.length) return;
    pair(alone[i++], fn);
  }
}

/**
 * Returns { before, after, shared }, the number of functions of each side and of common names, if there are too few of
 * these for two versions of one program; otherwise null. Builds that are the same or unidentified are not compared:
 * parts of one program may share no names.
 */
export function strangers({ functions }, base, current) {
  const differs = ['elf_build_id', 'fw_version'].some((id) => base.target[id] && current.target[id] && base.target[id] !== current.target[id]);
  const real = functions.filter((entry) => !isPlaceholder(entry));
  const [before, after] = ['before', 'after'].map((side) => real.filter((entry) => entry[side]).length);
  const shared = real.filter((entry) => entry.before && entry.after).length;
  return differs && shared * 2 < Math.min(before, after) ? { before, after, shared } : null;
}

/**
 * { functions, ofBase, ofCurrent, idOf(label) }. Each entry of `functions` is { id, name, label, file, line, raw_name,
 * kind, number, before, after }; before and after are the functions of the two profiles, or null. ofBase and ofCurrent
 * map a profile's id to an entry's. Functions of the base come first: new functions of the current profile only append.
 */
export function alignFunctions(base, current) {
  const functions = [];
  const ofBase = new Int32Array(base.functions.length).fill(-1);
  const ofCurrent = new Int32Array(current.functions.length).fill(-1);
  const labels = new Map();

  function put(before, after) {
    const { name, file = null, line = null, raw_name = null, kind, number } = after ?? before;
    const id = functions.length;
    let label = after ? current.labelOf(after.id) : base.labelOf(before.id);
    if (labels.has(label)) label = `${label} (${id})`;
    labels.set(label, id);
    functions.push({ id, name, label, file, line, raw_name, kind, number, before, after });
    if (before) ofBase[before.id] = id;
    if (after) ofCurrent[after.id] = id;
  }

  const twins = new Map(); // function of the base -> that of the current profile
  for (const { before, after } of groupsByName(base, current).values()) {
    if (before.length === 1 && after.length === 1) twins.set(before[0], after[0]);
    else if (before.length > 0 && after.length > 0) matchNamesakes(before, after, (a, b) => twins.set(a, b));
  }
  const paired = new Set(twins.values());
  for (const fn of base.functions) if (fn) put(fn, twins.get(fn) ?? null);
  for (const fn of current.functions) if (fn && !paired.has(fn)) put(null, fn);
  return { functions, ofBase, ofCurrent, idOf: (label) => labels.get(label) ?? -1 };
}
