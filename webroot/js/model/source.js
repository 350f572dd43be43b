// source.js - a function's source lines and instructions side by side, linked to each other.
//
// Rows of lines are { kind: 'line' | 'file' | 'gap', key, … }: the function's own lines, then lines of other files that
// were inlined, by file. Rows of code are the instructions. A line and its instructions share a key, "FILE-LINE", with
// the file's index.

import { baseName } from './format.js';
import { isPlaceholder } from './placeholder.js';

const lineKey = (file, line) => `${file}-${line}`;
const addressOf = (text) => BigInt(text);

export class Listing {
  /** `answer` is the daemon's, for the function's source. */
  constructor(answer) {
    this.answer = answer;
    this.files = answer.files ?? [];
    this.hasSamples = answer.bin_bytes !== null && answer.bin_bytes !== undefined;
    this.lines = [];
    this.code = (answer.instructions ?? []).map((one) => ({
      ...one,
      kind: one.data ? 'data' : 'code',
      key: one.line === null ? '' : lineKey(one.file, one.line),
      into: -1,
    }));
    this.#addLines();
    this.lineAt = new Map(this.lines.map((row, i) => [row.key, i]).filter(([key]) => key !== ''));
    this.codeAt = new Map();
    this.code.forEach(({ key }, i) => {
      if (key === '') return;
      if (!this.codeAt.has(key)) this.codeAt.set(key, []);
      this.codeAt.get(key).push(i);
    });
    this.#findJumps();
    const sum = (rows) => rows.reduce((all, row) => all + (row.samples ?? 0), 0);
    this.samples = Math.max(sum(this.code), sum(this.lines));
  }

  #addLines() {
    const add = (file, row) =>
      this.lines.push({ ...row, kind: 'line', file, key: lineKey(file, row.line), text: row.text ?? null });
    const { own_file: own = null, lines = [], inlined = [] } = this.answer;
    let before = null;
    for (const row of lines) {
      if (before !== null && row.line > before + 1) this.lines.push({ kind: 'gap', key: '' });
      add(own, row);
      before = row.line;
    }
    for (const part of inlined) {
      this.lines.push({ kind: 'file', key: '', file: part.file, text: this.files[part.file]?.file ?? '' });
      before = null;
      for (const row of part.lines) {
        if (before !== null && row.line > before + 1) this.lines.push({ kind: 'gap', key: '' });
        add(part.file, row);
        before = row.line;
      }
    }
  }

  /** Links branches within the function to their destination rows. */
  #findJumps() {
    const rowOf = new Map(this.code.map((row, i) => [addressOf(row.address), i]));
    for (const row of this.code)
      if (row.target !== null && !row.data && row.literal === null)
        row.into = rowOf.get(addressOf(row.target.address)) ?? -1;
  }

  /** The share of the function's samples taken at the row. */
  share(row) {
    return this.samples > 0 ? (row.samples ?? 0) / this.samples : 0;
  }

  /** The name of a row in the address: "120", "2-15" for a line of file 2, "0x08001234" for an instruction. */
  nameOf(pane, index) {
    const row = pane === 'code' ? this.code[index] : this.lines[index];
    if (row === undefined || (pane !== 'code' && row.kind !== 'line')) return '';
    if (pane === 'code') return row.address;
    return row.file === this.answer.own_file ? String(row.line) : row.key;
  }

  /**
   * The rows for a name: { line, code: [...], chosen } with indices, `line` -1 for none; `chosen` is the index of the
   * instruction, if the name is an address, else -1.
   */
  rowsOf(name) {
    if (name.startsWith('0x')) {
      const chosen = this.code.findIndex(({ address }) => address === name);
      if (chosen < 0) return { line: -1, code: [], chosen: -1 };
      const { key } = this.code[chosen];
      return { line: this.lineAt.get(key) ?? -1, code: this.codeAt.get(key) ?? [chosen], chosen };
    }
    const key = name.includes('-') ? name : lineKey(this.answer.own_file, name);
    return { line: this.lineAt.get(key) ?? -1, code: this.codeAt.get(key) ?? [], chosen: -1 };
  }

  /** The next row (step +1 or -1) after `index` that has a name; `index` if there is none. */
  next(pane, index, step) {
    const rows = pane === 'code' ? this.code : this.lines;
    const sign = Math.sign(step);
    let at = index;
    let last = index;
    for (let left = Math.abs(step); left > 0;) {
      at += sign;
      if (at < 0 || at >= rows.length) break;
      if (pane !== 'code' && rows[at].kind !== 'line') continue;
      last = at;
      left--;
    }
    return last;
  }

  /** The first call or branch out of the function among the instructions `indices`, or null. */
  callIn(indices) {
    const found = indices.map((i) => this.code[i]).find((row) => row?.target && row.into < 0);
    return found?.target ?? null;
  }

  /** Indices of matching rows of a pane, in order; without a search those with samples, the most first. */
  marks(pane, match) {
    const rows = pane === 'code' ? this.code : this.lines;
    const all = rows.map((_, i) => i).filter((i) => pane === 'code' || rows[i].kind === 'line');
    if (match.empty)
      return all.filter((i) => rows[i].samples > 0).sort((a, b) => rows[b].samples - rows[a].samples);
    const text = (row) =>
      pane === 'code' ? `${row.address} ${row.text} ${row.target?.name ?? ''}` : `${row.text ?? ''}`;
    return all.filter((i) => match.test(text(rows[i])));
  }

  /** { path, file, line } of a row, or of the function if no row is chosen; null if unknown. */
  placeOf(pane, index) {
    const row = pane === 'code' ? this.code[index] : this.lines[index];
    const file = this.files[row?.file ?? this.answer.own_file];
    const line = row?.line ?? this.answer.line;
    if (file === undefined || !line) return null;
    return { path: file.path, file: file.file, line };
  }

  /** The longest text of a pane, in characters, counting a tab as four. */
  longest(pane) {
    const width = ({ text, target }) =>
      (text ?? '').replaceAll('\t', '    ').length + (target?.name ? target.name.length + 3 : 0);
    return (pane === 'code' ? this.code : this.lines).reduce((most, row) => Math.max(most, width(row)), 0);
  }

  /** The names of files that changed after the program was linked. */
  changed() {
    return this.files.filter((file) => file.changed).map((file) => baseName(file.file));
  }
}

/** "12", "2.5": samples of a bin may be divided among its instructions. */
export function sampleText(samples) {
  if (samples === null || samples === undefined || samples === 0) return '';
  return String(Number(samples.toFixed(samples < 10 ? 1 : 0)) || '< 0.1');
}

/**
 * The functions that have a place in the program, hottest first: { id, fn, share }. Hot is what takes time of
 * its own, or samples where no time is known.
 */
export function hottest(profile) {
  const rows = profile.functions.filter((fn) => fn?.address && !isPlaceholder(fn));
  const timed = rows.some((fn) => fn.self_ticks > 0);
  const heat = (fn) => (timed ? fn.self_ticks : fn.samples) ?? 0;
  const all = rows.reduce((sum, fn) => sum + heat(fn), 0);
  return rows
    .map((fn) => ({ id: fn.id, fn, share: all > 0 ? heat(fn) / all : NaN }))
    .sort((a, b) => heat(b.fn) - heat(a.fn) || a.id - b.id);
}
