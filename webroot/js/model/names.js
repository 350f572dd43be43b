// names.js - shortens long C++ names, keeping the distinctive part.

/**
 * Replaces each outermost pair of brackets and its content by `instead`; returns text with unbalanced brackets
 * unchanged.
 */
function fold(text, open, close, instead) {
  let out = '';
  let depth = 0;
  for (const c of text) {
    if (c === open) {
      if (depth++ === 0) out += instead;
    } else if (c === close) {
      if (--depth < 0) return text;
    } else if (depth === 0) {
      out += c;
    }
  }
  return depth === 0 ? out : text;
}

/** Text of at most `room` characters with the middle left out: both ends of a long name say most. `end` is the end's share of it. No character is torn. */
export function middle(text, room, end = 0.5) {
  if (text.length <= room) return text;
  const tail = Math.floor((room - 1) * end);
  const [before, after] = [text.slice(0, room - 1 - tail), text.slice(text.length - tail)];
  return `${before.replace(/[\ud800-\udbff]$/, '')}…${after.replace(/^[\udc00-\udfff]/, '')}`;
}

const tipMost = 500; // letters: a longer tooltip covers the page or is cut off

/** The tooltip of a name. */
export const tipOf = (name) => middle(name, tipMost);

/** A function's name, and the number of its aliases in the ELF: `Default_Handler and 5 others`. */
export function labelOf({ name, aliases }) {
  // A name that contains its aliases (overlays: `one or other`) needs no count.
  const more = aliases?.filter((alias) => !name.includes(alias)).length ?? 0;
  return more === 0 ? name : `${name} and ${more === 1 ? '1 other' : `${more} others`}`;
}

/** The tooltip of a function: its name, the one in the ELF, and the others of its address. */
export function tipOfFunction({ name, raw_name: raw, aliases }) {
  const also = aliases?.length ? `Also called ${aliases.join(', ')}` : '';
  return [name, raw === name ? '' : raw, also].filter(Boolean).map(tipOf).join('\n');
}

const operators = /operator\s*(<<=?|>>=?|<=>|<=?|>=?|->\*?|\(\))/;

/** Ever shorter forms of a function's name, beginning with the full one. */
export function forms(name) {
  const all = [name];
  // Operators contain bracket-like signs, which must not be folded.
  if (operators.test(name) || name.startsWith('[') || name.startsWith('(')) return all;
  const add = (form) => {
    if (form !== '' && form.length < all[all.length - 1].length) all.push(form);
  };
  add(name.split(' · ')[0]); // a context without its kind
  const bare = fold(name, '(', ')', '').replace(/ const$/, '');
  add(fold(name, '(', ')', '(…)'));
  add(bare);
  const plain = fold(bare, '<', '>', '<…>');
  add(plain);
  const short = fold(bare, '<', '>', '');
  add(short);
  const parts = short.split('::');
  for (let from = 1; from < parts.length; from++) add(parts.slice(from).join('::'));
  return all;
}

const known = new Map();
const knownMost = 20000;
const endsFrom = 8; // characters of room: in less, two ends say less than one beginning
const evenFrom = 24; // in less, the end has more of it: adc_send_1 and adc_send_2 differ there

const leastCut = 4; // characters: a letter or two of a name say nothing, and many of them look like noise

/**
 * The longest form that fits into `room` characters. If none does, the shortest is cut in the middle, or at the end if
 * there is little room. '' if less than a few letters would remain.
 */
export function shorten(name, room) {
  if (name.length <= room) return name;
  if (room < 1) return '';
  let list = known.get(name);
  if (list === undefined) {
    if (known.size >= knownMost) known.clear();
    list = forms(name);
    known.set(name, list);
  }
  for (const form of list) if (form.length <= room) return form;
  if (room < leastCut) return '';
  const last = list[list.length - 1];
  return room < endsFrom ? `${last.slice(0, room - 1)}…` : middle(last, room, room < evenFrom ? 0.6 : 0.5);
}
