// saved.js - saves the profile shown to a file, from the page's own data, for when the daemon is not running.

import { snapshotOf } from './opened.js';

/**
 * A snapshot, for JSON, that the page can open again: typed columns as lists, unknown values as null; `notes` as in
 * notes.js.
 */
export function snapshotWith(profile, notes = []) {
  return {
    schema: 'miniprofd.snapshot',
    schema_version: 1,
    ...snapshotOf(profile),
    link: profile.link,
    ledger: profile.ledger,
    complete: profile.incompleteBecause.length === 0,
    incomplete_because: profile.incompleteBecause,
    measured_with: profile.measuredWith,
    call_tree: profile.tree.toRows(),
    arcs: [...profile.arcs.values()],
    contexts: [...profile.contexts.values()],
    checkpoints: [...profile.checkpoints.values()],
    messages: profile.messages,
    messages_dropped: profile.messagesGone,
    windows: profile.windows,
    ...(notes.length > 0 ? { notes } : {}),
  };
}

/** In folded stacks, a semicolon ends a frame. */
const frameOf = (name) => name.replaceAll(';', ':').replaceAll(/\s+/g, ' ');

/** Self time in ticks of each chain of callers, a line each. */
function asFolded({ tree, functions, contexts }) {
  const stacks = new Array(tree.length).fill('');
  const lines = [];
  for (let row = 1; row < tree.length; row++) {
    const above = stacks[tree.parent[row]];
    const root = above === '' && contexts.size > 1 ? [frameOf(contexts.get(tree.context[row])?.name ?? String(tree.context[row]))] : [];
    stacks[row] = [...(above === '' ? root : [above]), frameOf(functions[tree.fn[row]]?.name ?? '?')].join(';');
    if (tree.self[row] > 0) lines.push(`${stacks[row]} ${tree.self[row]}`);
  }
  return `${lines.sort().join('\n')}\n`;
}

/** Keeps only characters that are valid in file names everywhere. */
const plain = (text, most) => text.replaceAll(/[^\w.+-]/g, '_').replace(/^\./, '_').slice(0, most);

/** The path of the ELF file with the most functions, which names the profile; undefined without one. */
function mainElf(elf) {
  const most = Math.max(...(elf?.files ?? []).map((file) => file.functions));
  return elf?.files?.find((file) => file.functions === most)?.path ?? elf?.path;
}

/** A file name for `profile` without extension, in the daemon's form: firmware, version and the date `now`. */
export function fileName({ source, target }, now) {
  const file = (mainElf(source?.elf) ?? 'miniprofd').split('/').at(-1).replace(/(?!^)\.[^.]*$/, '');
  const stamp = now.toISOString().replaceAll(/[-:]|\..*/g, '').replace('T', '-');
  return [plain(file, 31), plain(target.fw_version ?? '', 23), stamp].filter(Boolean).join('-');
}

/**
 * { name, type, text } of `profile` in the format 'json' or 'collapsed'; `now` is the date in the name, `notes` the
 * user's (notes.js).
 */
export function savedFile(profile, format, now, notes = []) {
  const stem = fileName(profile, now);
  return format === 'json'
    ? { name: `${stem}.json`, type: 'application/json', text: JSON.stringify(snapshotWith(profile, notes)) }
    : { name: `${stem}.folded`, type: 'text/plain', text: asFolded(profile) };
}
