// search.js - parses the search text, and computes the share of a tree that it matches.

import { baseName } from './format.js';

/** The search text that finds only the function of this label (Profile.labelOf()). */
export const exactly = (label) => `=${label}`;

/** True when a name, of the function `fn` where it is known, is exactly this one; functions that share a name have an address behind it. */
const isNamed = (label) => (name, fn) =>
  name === label || (fn !== undefined && `${name}@${fn.address ?? fn.id}` === label);

/**
 * A matcher for the search text: a part of the name, ignoring case; =exact_name; or /regular expression/ (flags as in
 * JavaScript). `error` is what is wrong with the expression; such a matcher matches nothing. `isEncoded` if the text is of an encoded name, as _ZN4Uart.
 */
export function matcher(text) {
  const typed = text.trim();
  return { isEncoded: /_[ZR]/.test(typed), ...parse(typed) };
}

function parse(typed) {
  if (typed === '') return { empty: true, error: '', test: () => false };
  if (typed.startsWith('/') && typed.length > 1) {
    const end = typed.lastIndexOf('/');
    const body = end > 0 ? typed.slice(1, end) : typed.slice(1);
    const flags = end > 0 ? typed.slice(end + 1) : '';
    if (body === '') return { empty: true, error: '', test: () => false };
    try {
      const expression = new RegExp(body, flags.replace(/[gy]/g, ''));
      return { empty: false, error: '', test: (name) => expression.test(name) };
    } catch (error) {
      return {
        empty: false,
        error: error.message.replace(/^Invalid regular expression: /, ''),
        test: () => false,
      };
    }
  }
  if (/^=[^=\s]/.test(typed)) return { empty: false, error: '', test: isNamed(typed.slice(1)) };
  const part = typed.toLowerCase();
  return { empty: false, error: '', test: (name) => name.toLowerCase().includes(part) };
}

/**
 * True when the function matches: its name, an alias, or the name of its file (folders are often the same for all files). The encoded name in
 * the ELF counts only for a search that has its beginning: Ev is at the end of most of them.
 */
export const matchesFunction = (match, fn) =>
  match.test(fn.name, fn) ||
  (fn.aliases?.some((name) => match.test(name)) ?? false) ||
  Boolean(fn.file && match.test(baseName(fn.file))) ||
  Boolean(match.isEncoded && fn.raw_name && match.test(fn.raw_name));

/** One byte per function: 1 where it matches. */
export function matchFunctions(functions, match) {
  const hits = new Uint8Array(functions.length);
  if (match.empty) return hits;
  functions.forEach((fn, id) => {
    if (fn && matchesFunction(match, fn)) hits[id] = 1;
  });
  return hits;
}

/**
 * The part of the subtree of `root` that matching functions cover. A frame inside a matching frame is not counted
 * twice. `share` is of the subtree's weight.
 */
export function matchShare(tree, hits, root = 0) {
  const covered = new Uint8Array(tree.count);
  let weight = 0;
  let frames = 0;
  for (let node = root; node < tree.count; node++) {
    const parent = tree.parent[node];
    if (node !== root && (parent < root || (covered[parent] & 2) === 0)) continue;
    const above = node === root ? 0 : covered[parent] & 1;
    const hit = tree.fn[node] >= 0 ? hits[tree.fn[node]] : 0;
    covered[node] = 2 | above | hit;
    if (!hit) continue;
    frames++;
    if (!above) weight += tree.weight[node];
  }
  const all = tree.weight[root];
  return { weight, frames, share: all > 0 ? weight / all : 0 };
}

/**
 * The match after (step +1) or before (-1) match `at` of `length`, wrapping around; without one (-1), the first or
 * last.
 */
export const stepMatch = (at, step, length) =>
  at < 0 ? (step > 0 ? 0 : length - 1) : (at + step + length) % length;
