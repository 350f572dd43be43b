// marks.js - markers of the timeline that no picture has: windows, and the reader's notes.

import { noteMarks } from '../../model/notes.js';
import { windowMarks } from '../../model/windows.js';

/** From tick `from` to `to`, in the order of time. */
export const ownMarks = ({ whole, place }, from, to) =>
  [...noteMarks(place.notes, from, to), ...windowMarks(whole, from, to)].sort((a, b) => a.start - b.start);
