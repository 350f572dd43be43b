// shape.js - divides the view between graph and list: a shallow graph is above the list, which then is a table of full
// width; a deep one is beside it.

import { setAttr } from '../../dom.js';
import { cellDuration, compact, dash } from '../../model/format.js';
import { figuresOf } from '../../model/placeholder.js';
import { rowCount, roomyRowPx } from '../../model/layout.js';

const shallowShare = 0.5; // of the height, at most
const listRowPx = 27; // at least, with a part of the headings
const narrowPx = 900; // up to this width css/flame.css stacks them

/** Lays out the view for `host.place.parts`; returns true if the list has room for a table. */
export function layParts({ host, body, stage, hot, frames }) {
  const { parts } = host.place;
  const rows = rowCount(frames);
  const most = body.clientHeight * shallowShare;
  const listed = Math.min(host.profile.functions.length, hot.rowsMost) * listRowPx;
  const rowPx = roomyRowPx(rows, most, stage.painter.leastRowPx, body.clientHeight - listed);
  const isAbove = parts === 'both' && rows * rowPx <= most && body.clientWidth > narrowPx;
  setAttr(body, 'data-parts', isAbove ? 'above' : parts);
  stage.painter.wantedRowPx = isAbove ? rowPx : 0;
  body.style.setProperty('--rows', `${rows * stage.painter.leastRowPx + 1}px`);
  stage.root.style.height = isAbove ? `${rows * rowPx + 1}px` : '';
  stage.root.hidden = parts === 'table';
  hot.root.hidden = parts === 'flame';
  return isAbove || (parts === 'table' && body.clientWidth > narrowPx);
}

/** The columns of the table besides name and share. */
const titles = ['Total', 'Calls', 'Mean', 'p99', 'Max'];

/** The cells of these columns for a function, as text. */
function cellsOf(row, ticksPerSecond) {
  if (row === undefined) return titles.map(() => dash); // the list may be of the profile before
  const { total_ticks: total, calls, mean_ticks: mean, p99_ticks: p99, max_ticks: max } = figuresOf(row);
  const time = (ticks) => ((ticks ?? null) === null ? dash : cellDuration(ticks, ticksPerSecond));
  return [time(total), (calls ?? null) === null ? dash : compact(calls), time(mean), time(p99), time(max)];
}

/** The table's columns for the list (part/hot-list.js). */
export function tableOf({ host, maxes, isTable }) {
  const { functions, ticksPerSecond } = host.profile;
  return { titles: isTable ? titles : [], cellsOf: (fn) => cellsOf(functions[fn], ticksPerSecond), maxOf: isTable && maxes.isThere ? (fn) => maxes.of(fn) : null };
}
