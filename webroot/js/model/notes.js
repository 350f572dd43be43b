// notes.js - the user's notes at times of the target: their form in the address, and as markers of the timeline.

export const notesMost = 50; // this many fit an address that mail programs still recognize
export const lettersMost = 120;

const form = /^(\d{1,20})-(.*)$/s;

/** The notes of place.notes by time: [{ ticks, text }]. Invalid ones are left out. */
export function readNotes(list) {
  const notes = list.flatMap((one) => {
    const found = form.exec(one);
    return found === null ? [] : [{ ticks: Number(found[1]), text: found[2].slice(0, lettersMost) }];
  });
  return notes.sort((a, b) => a.ticks - b.ticks).slice(0, notesMost);
}

/** The notes in the form of place.notes. */
const writeNotes = (notes) => notes.map(({ ticks, text }) => `${Math.max(Math.round(ticks), 0)}-${text.slice(0, lettersMost)}`);

/** The list with another note, which replaces one at the same time; null if there are too many. */
export function withNote(list, ticks, text) {
  const others = readNotes(list).filter((note) => note.ticks !== Math.round(ticks));
  if (others.length >= notesMost) return null;
  return writeNotes([...others, { ticks, text }].sort((a, b) => a.ticks - b.ticks));
}

export const withoutNote = (list, ticks) => writeNotes(readNotes(list).filter((note) => note.ticks !== ticks));

/** The markers of the notes from tick `from` to `to`, as in pictures. */
export const noteMarks = (list, from, to) =>
  readNotes(list)
    .filter(({ ticks }) => ticks >= from && ticks <= to)
    .map(({ ticks, text }) => ({ kind: 'marker', what: 'note', start: ticks, end: ticks, text, count: 1 }));
