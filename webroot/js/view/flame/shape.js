// shape.js - how graph and list share the view: a shallow graph lies above the list, which is a table as wide as the view then, a deep
// one beside it.

import { setAttr } from '../../dom.js';
import { cellDuration, compact, dash } from '../../model/format.js';
import { figuresOf } from '../../model/placeholder.js';
import { rowCount, roomyRowPx } from '../../model/layout.js';

const shallowShare = 0.5; // of the height, at most
const narrowPx = 900; // up to this width css/flame.css stacks them

/** Lays out what `host.place.parts` asks for; true where the list has the room of a table. */
export function layParts({ host, body, stage, hot, frames }) {
  const { parts } = host.place;
  const rows = rowCount(frames);
  const most = body.clientHeight * shallowShare;
  const rowPx = roomyRowPx(rows, most, stage.painter.leastRowPx);
  const isAbove = parts === 'both' && rows * rowPx <= most && body.clientWidth > narrowPx;
  setAttr(body, 'data-parts', isAbove ? 'above' : parts);
  stage.painter.wantedRowPx = isAbove ? rowPx : 0;
  stage.root.style.height = isAbove ? `${rows * rowPx + 1}px` : '';
  stage.root.hidden = parts === 'table';
  hot.root.hidden = parts === 'flame';
  return isAbove || (parts === 'table' && body.clientWidth > narrowPx);
}

/** What a row of the table has besides name and share. */
const titles = ['Total', 'Calls', 'Mean', 'p99', 'Max'];

/** The same of a function, as text. */
function cellsOf(row, ticksPerSecond) {
  const { total_ticks: total, calls, mean_ticks: mean, p99_ticks: p99, max_ticks: max } = figuresOf(row);
  const time = (ticks) => ((ticks ?? null) === null ? dash : cellDuration(ticks, ticksPerSecond));
  return [time(total), (calls ?? null) === null ? dash : compact(calls), time(mean), time(p99), time(max)];
}

/** What the list shows beside its names where it has the room of a table (part/hot-list.js). */
export function tableOf({ host, maxes, isTable }) {
  const { functions, ticksPerSecond } = host.profile;
  return { titles: isTable ? titles : [], cellsOf: (fn) => cellsOf(functions[fn], ticksPerSecond), maxOf: isTable && maxes.isThere ? (fn) => maxes.of(fn) : null };
}
