// opened.js - reads an opened file: a snapshot, every cell of which is checked before use, or an error that says what
// to do.

const bytesMost = 200e6;
const schemaVersion = 1;
const nameMost = 4096; // letters; longer names are cut
const depthMost = 20000;

/** The message to the reader about what is wrong with a file. */
export class Unreadable extends Error {}

const size = (bytes) => `${Math.ceil(bytes / 1e6)} MB`;

/** Throws for a file that is too large to read. */
export function checkSize(name, bytes) {
  if (bytes > bytesMost)
    throw new Unreadable(
      `“${name}” has ${size(bytes)}; this page opens snapshots of up to ${size(bytesMost)}. ` +
        'Clear the profile, let it run for a shorter time and export it again.',
    );
  if (bytes === 0)
    throw new Unreadable(`“${name}” is empty. Export the snapshot again: Share, Snapshot (JSON).`);
}

const isObject = (x) => typeof x === 'object' && x !== null && !Array.isArray(x);
const text = (x) => (typeof x === 'string' ? (x.length > nameMost ? `${x.slice(0, nameMost)}…` : x) : null);
const amount = (x) => (typeof x === 'number' && Number.isFinite(x) && x >= 0 ? x : null);
const isAmount = (x) => x === null || x === undefined || amount(x) !== null;

const figures = [
  ...['number', 'line', 'size', 'calls', 'total_ticks', 'self_ticks', 'min_ticks', 'max_ticks', 'mean_ticks'],
  ...['p50_ticks', 'p90_ticks', 'p99_ticks', 'stddev_ticks', 'samples'],
];

function cleanFunctions(list, broken) {
  if (!Array.isArray(list)) throw broken('“functions” is not a list');
  return list.map((fn, id) => {
    if (!isObject(fn) || typeof fn.name !== 'string') throw broken(`function ${id} has no name`);
    if (fn.id !== id) throw broken(`function ${id} has another id`);
    const clean = { id, kind: text(fn.kind) ?? 'function', name: text(fn.name), file: text(fn.file), address: text(fn.address) };
    if (typeof fn.raw_name === 'string') clean.raw_name = text(fn.raw_name);
    if (Array.isArray(fn.aliases)) clean.aliases = fn.aliases.filter((name) => typeof name === 'string').map(text);
    for (const name of figures) {
      if (!isAmount(fn[name])) throw broken(`${name} of function ${id} is not a number`);
      clean[name] = fn[name] ?? null;
    }
    return clean;
  });
}

const columns = ['parent', 'function', 'calls', 'total_ticks', 'self_ticks'];

function cleanTree(tree, functionCount, broken) {
  const listed = (x) => Array.isArray(x) || ArrayBuffer.isView(x);
  for (const name of columns)
    if (!isObject(tree) || !listed(tree[name])) throw broken(`“call_tree.${name}” is not a list`);
  const { length } = tree.parent;
  for (const name of columns)
    if (tree[name].length !== length) throw broken(`the columns of “call_tree” differ in length`);
  if (length === 0 || tree.parent[0] !== -1) throw broken('“call_tree” has no root');
  const clean = {
    parent: new Int32Array(length).fill(-1),
    function: new Int32Array(length).fill(-1),
    context: new Int32Array(length),
    calls: new Float64Array(length),
    total_ticks: new Float64Array(length),
    self_ticks: new Float64Array(length),
  };
  const depth = new Int32Array(length);
  for (let row = 0; row < length; row++) {
    if (row > 0) {
      const [parent, fn] = [tree.parent[row], tree.function[row]];
      if (!Number.isInteger(parent) || parent < 0 || parent >= row)
        throw broken(`row ${row} of “call_tree” has no parent above it`);
      if (!Number.isInteger(fn) || fn < 0 || fn >= functionCount)
        throw broken(`row ${row} of “call_tree” names a function that is not there`);
      clean.parent[row] = parent;
      clean.function[row] = fn;
      depth[row] = depth[parent] + 1;
      if (depth[row] > depthMost) throw broken(`row ${row} of “call_tree” is over ${depthMost} calls deep`);
    }
    for (const name of ['calls', 'total_ticks', 'self_ticks']) {
      const cell = tree[name][row];
      if (!isAmount(cell) && !Number.isNaN(cell))
        throw broken(`${name} in row ${row} of “call_tree” is not a number`);
      clean[name][row] = cell ?? NaN;
    }
  }
  return clean;
}

/** The snapshot in `value`, built only from checked values; throws Unreadable. */
export function checkSnapshot(name, value) {
  if (!isObject(value) || value.schema !== 'miniprofd.snapshot')
    throw new Unreadable(
      `“${name}” is JSON, but not a snapshot of miniprofd. ` +
        'Choose a file that Share, Snapshot (JSON) has written, or --export json=FILE.',
    );
  const version = value.schema_version;
  if (Number.isInteger(version) && version > schemaVersion)
    throw new Unreadable(
      `“${name}” is of a newer miniprofd (schema version ${version}; this page reads ${schemaVersion}). ` +
        'Update miniprofd and open it again.',
    );
  const broken = (what) =>
    new Unreadable(`“${name}” is a damaged snapshot: ${what}. Export it again, or choose another file.`);
  if (version !== schemaVersion) throw broken('its schema version is not a number known');
  const functions = cleanFunctions(value.functions, broken);
  const [source, target, samples] = [value.source, value.target, value.samples].map((part) =>
    isObject(part) ? part : {},
  );
  const provides = source.dialect_provides;
  return {
    sequence: amount(value.sequence) ?? 0,
    producer: text(value.producer) ?? '',
    captured_at: text(value.captured_at),
    source: {
      port: text(source.port) ?? '',
      dialect: text(source.dialect) ?? '',
      dialect_provides: Array.isArray(provides) ? provides.filter((x) => typeof x === 'string') : null,
    },
    target: {
      fw_version: text(target.fw_version),
      elf_build_id: text(target.elf_build_id),
      ticks_per_second: amount(target.ticks_per_second) || null,
    },
    samples: { hz: amount(samples.hz), total: amount(samples.total) ?? 0 },
    functions,
    call_tree: cleanTree(value.call_tree, functions.length, broken),
    call_tree_estimated: value.call_tree_estimated === true,
  };
}

/** The snapshot in the text of a file; throws Unreadable. */
export function readSnapshot(name, json) {
  let value;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Unreadable(
      `“${name}” is not JSON. Choose a file that Share, Snapshot (JSON) has written, or --export json=FILE.`,
    );
  }
  return checkSnapshot(name, value);
}

/** The snapshot of a profile in memory, in the same form. */
export function snapshotOf(profile) {
  const { tree } = profile;
  const cells = (column) => column.slice(0, tree.length);
  return {
    sequence: profile.sequence,
    producer: profile.producer,
    captured_at: profile.capturedAt,
    source: profile.source,
    target: profile.target,
    samples: profile.samples,
    functions: profile.functions.slice(),
    call_tree: {
      parent: cells(tree.parent),
      function: cells(tree.fn),
      context: cells(tree.context),
      calls: cells(tree.calls),
      total_ticks: cells(tree.total),
      self_ticks: cells(tree.self),
    },
    call_tree_estimated: profile.treeEstimated,
  };
}
