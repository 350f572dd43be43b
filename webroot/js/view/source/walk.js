// walk.js - the selection in the two panes of the Source view, and how keys move it.

import { stepMatch } from '../../model/search.js';
import { noRows, offered } from './listing.js';

/** The pane that keys move in: without source lines, always the instructions. */
export function paneOf({ known, host }) {
  return known.lines.length === 0 && known.code.length > 0 ? 'code' : host.place.pane;
}

export const rowsOf = ({ known }, pane) => (pane === 'code' ? known.code : known.lines);

/** The rows of place.row; asked for again each time, since keys come faster than frames. */
export const atPlace = ({ known, host }) => (host.place.row === '' ? noRows : known.rowsOf(host.place.row));

/** The index of the selected row of a pane, or -1. */
export function selected(view, pane, rows = atPlace(view)) {
  if (pane === 'source') return rows.line;
  return rows.chosen >= 0 ? rows.chosen : (rows.code[0] ?? -1);
}

/** { path, file, line } of the selection, or null. */
export function placeOf(view) {
  const pane = paneOf(view);
  return view.known.placeOf(pane, selected(view, pane)) ?? view.known.placeOf('source', -1);
}

/** Goes to the source of a function. */
export const choose = ({ host }, id) => host.go({ fn: host.profile.labelOf(id), row: '' });

export function select({ known, host }, pane, index, { replace = true } = {}) {
  const row = known.nameOf(pane, index);
  if (row !== '') host.go({ row, pane }, { replace });
}

export const turn = ({ host }, pane) => host.go({ pane }, { replace: true });

export function move(view, step) {
  const pane = paneOf(view);
  const from = selected(view, pane);
  const to = view.known.next(pane, from, from < 0 && step < 0 ? 1 : step);
  if (to < 0) return false;
  select(view, pane, to);
  return true;
}

/** Goes to the function that a call leads to; false if there is none. */
export function follow(view, target) {
  if (target === null || target?.function === null) return false;
  choose(view, target.function);
  return true;
}

/** Enter: goes to the function called, or along the branch. */
export function enter(view) {
  const { known } = view;
  const { chosen, code } = atPlace(view);
  const branch = known.code[chosen]?.into ?? -1;
  if (branch < 0) return follow(view, known.callIn(chosen >= 0 ? [chosen] : code));
  select(view, 'code', branch, { replace: false });
  return true;
}

/** Indices of the search matches, in the order of the keys. */
export function listMarks(view) {
  const { host, known } = view;
  const pane = paneOf(view);
  const key = [pane, host.place.search, view.about, view.askedAt].join('|');
  if (view.marked.key !== key) view.marked = { key, rows: known.marks(pane, host.match) };
  return view.marked.rows;
}

/**
 * Goes to the next match of the search, or without one to the next hottest row. While no function is selected, to the
 * hottest function.
 */
export function next(view, step) {
  if (!view.offer.root.hidden) {
    const [first] = offered(view.host);
    if (first !== undefined) choose(view, first.id);
    return first !== undefined;
  }
  const rows = listMarks(view);
  if (rows.length === 0) return false;
  const pane = paneOf(view);
  const at = rows.indexOf(selected(view, pane));
  select(view, pane, rows[stepMatch(at, step, rows.length)]);
  return true;
}

export function back({ host }) {
  if (host.place.row !== '') {
    host.go({ row: '' }, { replace: true });
    return true;
  }
  if (host.place.fn === '') return false;
  host.go({ fn: '' });
  return true;
}
