// checkpoints.js - the table of checkpoint pairs, with a bar from the shortest to the longest time.

import { el, setAttr } from '../dom.js';
import {
  checkpointColumns,
  checkpointRows,
  filterCheckpoints,
  logScale,
  sortCheckpoints,
} from '../model/checkpoints.js';
import { count, duration, plural, ticksNote } from '../model/format.js';
import { emptyStateOf } from '../model/empty.js';
import { SteadyOrder } from '../model/rows.js';
import { createEmpty } from '../part/empty.js';
import { createFoot, whyEmpty } from '../part/foot.js';
import { createTable } from '../part/table.js';
import { createOrder, tableKeys } from '../part/table-keys.js';

const hints = { name: (row) => row.name, topic: (row) => row.topic, path: (row) => row.path, context: (row) => row.context };

function create(host) {
  const view = {
    host,
    rows: [],
    columns: [],
    sorted: null, // the column
    scale: null, // of the bars
    all: 0,
    steady: new SteadyOrder((row) => row.id),
    empty: createEmpty(host),
  };
  view.range = rangeColumn(view);
  const order = createOrder(
    host,
    () => view.columns,
    () => view.sorted,
  );
  view.table = createTable('Checkpoints', 'checkpoints-table', {
    sort: (column) => order.by(column),
    scroll: () => host.redraw(),
  }, { isRoomy: true });
  view.foot = createFoot(view.table);
  const { table, foot, empty } = view;
  view.body = el('div', { class: 'table-body' }, el('div', { class: 'table-side' }, table.root, foot.nothing, foot.root));
  const root = el('section', { class: 'view checkpoints', 'aria-label': 'Checkpoints' }, view.body, empty.root);
  const move = (step) => scroll(view, step);
  return {
    root,
    update: () => update(view),
    summary: () => (host.match.empty ? '' : `${count(view.rows.length)} of ${count(view.all)}`),
    next: move,
    actions: tableKeys('Checkpoints', 'row', table, move, order),
  };
}

/** A bar from the shortest to the longest, with a line at the mean. */
function rangeColumn(view) {
  return {
    id: 'range',
    title: 'Min – mean – max',
    tip: 'On a logarithmic scale that all rows share; the line across is the mean',
    plain: true,
    cell() {
      const bar = el('span', { class: 'range-bar' });
      const mean = el('span', { class: 'range-mean' });
      const track = el('span', { class: 'range-track', 'aria-hidden': 'true' }, bar, mean);
      return { nodes: [track], set: ({ row }) => showRange(view.scale, row, bar, mean) };
    },
  };
}

function showRange(scale, row, bar, mean) {
  const known = (value) => value !== null && value !== undefined && scale !== null;
  const percent = (share) => `${(100 * share).toFixed(2)}%`;
  bar.hidden = !known(row.min_ticks) || !known(row.max_ticks);
  mean.hidden = !known(row.mean_ticks);
  if (!bar.hidden) {
    bar.style.left = percent(scale.at(row.min_ticks));
    bar.style.right = percent(1 - scale.at(row.max_ticks));
  }
  if (!mean.hidden) mean.style.left = percent(scale.at(row.mean_ticks));
}

function tell({ host, rows, all, scale, foot }) {
  const { profile, match, place } = host;
  const time = (ticks) => duration(ticks, profile.ticksPerSecond);
  foot.tell(
    [
      match.empty ? plural(all, 'row') : `${count(rows.length)} of ${plural(all, 'row')}`,
      scale === null ? '' : `bars from ${time(scale.low)} to ${time(scale.high)}, logarithmic`,
      profile.ticksPerSecond ? '' : ticksNote,
    ],
    whyEmpty(rows, match, `No row matches “${place.search}”.`),
  );
}

function listRows(view, every) {
  const { place, match, paused } = view.host;
  view.columns = [...checkpointColumns(every).map((c) => ({ ...c, hint: hints[c.id] })), view.range];
  const { columns } = view;
  view.sorted =
    columns.find((c) => c.id === place.sort && !c.plain) ?? columns.find((c) => c.id === 'mean') ?? columns[0];
  const key = [view.sorted.id, place.rising, place.search, paused].join('|');
  view.rows = view.steady.arrange(filterCheckpoints(every, match), key, performance.now(), (list) =>
    sortCheckpoints(list, view.sorted, place.rising),
  );
  view.scale = logScale(every);
}

function update(view) {
  const { host, table, body, empty } = view;
  const every = checkpointRows(host.profile);
  view.all = every.length;
  body.hidden = every.length === 0;
  if (body.hidden) {
    empty.tell(emptyStateOf('checkpoints', host.profile, host.answers));
    return;
  }
  empty.hide();
  listRows(view, every);
  // Before the table computes its column widths.
  setAttr(table.root, 'data-across', view.rows.some((row) => row.context.includes('→')) ? '' : null);
  table.show(view.rows, view.columns, {
    sorted: { id: view.sorted.id, rising: host.place.rising },
    scale: host.profile.ticksPerSecond,
    marks: (row) => ({ 'data-none': row.none ? '' : null, 'data-average': row.kind === 'average' ? '' : null }),
  });
  tell(view);
  setAttr(table.root, 'data-empty', view.rows.length === 0 ? '' : null);
}

/** Rows cannot be selected here, so the keys scroll. */
function scroll({ rows, table }, step) {
  if (rows.length === 0) return false;
  table.scrollBy(step);
  return true;
}

export const checkpoints = { id: 'checkpoints', title: 'Checkpoints', has: (profile) => profile.checkpoints.size > 0, create };
