// marks.js - markers of the timeline that are not in pictures: windows, and the user's notes.

import { noteMarks } from '../../model/notes.js';
import { windowMarks } from '../../model/windows.js';

/** The markers from tick `from` to `to`, ordered by time. */
export const ownMarks = ({ whole, place }, from, to) =>
  [...noteMarks(place.notes, from, to), ...windowMarks(whole, from, to)].sort((a, b) => a.start - b.start);
