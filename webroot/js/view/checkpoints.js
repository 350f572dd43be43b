// checkpoints.js - the table of what lies between two checkpoints, with a bar from the shortest to the longest.

import { el, setAttr, setText } from '../dom.js';
import {
  checkpointColumns,
  checkpointRows,
  filterCheckpoints,
  logScale,
  sortCheckpoints,
} from '../model/checkpoints.js';
import { count, duration, plural, ticksNote } from '../model/format.js';
import { emptyStateOf } from '../model/health.js';
import { SteadyOrder } from '../model/rows.js';
import { createEmpty } from '../part/empty.js';
import { createOrder, createTable, tableKeys } from '../part/table.js';

const hints = { name: (row) => row.name, topic: (row) => row.topic, path: (row) => row.path };

function create(host) {
  let rows = [];
  let columns = [];
  let sorted = null; // the column
  let scale = null; // of the bars
  let all = 0;
  const steady = new SteadyOrder((row) => row.id);
  const order = createOrder(
    host,
    () => columns,
    () => sorted,
  );

  const range = {
    id: 'range',
    title: 'Min – mean – max',
    tip: 'On a logarithmic scale that all rows share; the line across is the mean',
    plain: true,
    cell() {
      const bar = el('span', { class: 'range-bar' });
      const mean = el('span', { class: 'range-mean' });
      const track = el('span', { class: 'range-track', 'aria-hidden': 'true' }, bar, mean);
      return {
        nodes: [track],
        set({ row }) {
          const known = (value) => value !== null && value !== undefined && scale !== null;
          bar.hidden = !known(row.min_ticks) || !known(row.max_ticks);
          mean.hidden = !known(row.mean_ticks);
          const percent = (value) => `${(100 * scale.at(value)).toFixed(2)}%`;
          if (!bar.hidden) {
            bar.style.left = percent(row.min_ticks);
            bar.style.right = `${(100 - 100 * scale.at(row.max_ticks)).toFixed(2)}%`;
          }
          if (!mean.hidden) mean.style.left = percent(row.mean_ticks);
        },
      };
    },
  };

  const table = createTable('Checkpoints', 'checkpoints-table', {
    sort: (column) => order.by(column),
    scroll: () => host.redraw(),
  });
  const nothing = el('p', { class: 'table-nothing', hidden: true });
  const status = el('p', { class: 'table-status' });
  const empty = createEmpty(() => host.device('start'));
  const body = el('div', { class: 'table-body' }, el('div', { class: 'table-side' }, table.root, nothing, status));
  const root = el('section', { class: 'view checkpoints', 'aria-label': 'Checkpoints' }, body, empty.root);

  function tellStatus() {
    const { ticksPerSecond } = host.profile;
    const time = (ticks) => duration(ticks, ticksPerSecond);
    setText(
      status,
      [
        host.match.empty ? plural(all, 'row') : `${count(rows.length)} of ${plural(all, 'row')}`,
        scale === null ? '' : `bars from ${time(scale.low)} to ${time(scale.high)}, logarithmic`,
        ticksPerSecond ? '' : ticksNote,
      ]
        .filter(Boolean)
        .join(' · '),
    );
  }

  function update() {
    const every = checkpointRows(host.profile);
    all = every.length;
    body.hidden = all === 0;
    if (all === 0) {
      empty.tell(emptyStateOf('checkpoints', host.profile, host.answers));
      return;
    }
    empty.hide();
    const { place } = host;
    columns = [...checkpointColumns(every).map((c) => ({ ...c, hint: hints[c.id] })), range];
    sorted = columns.find((c) => c.id === place.sort && !c.plain) ?? columns.find((c) => c.id === 'mean') ?? columns[0];
    const matching = filterCheckpoints(every, host.match);
    const key = [sorted.id, place.rising, place.search, host.paused].join('|');
    rows = steady.arrange(matching, key, performance.now(), (list) => sortCheckpoints(list, sorted, place.rising));
    scale = logScale(every);
    table.show(rows, columns, {
      sorted: { id: sorted.id, rising: place.rising },
      scale: host.profile.ticksPerSecond,
      marks: (row) => ({ 'data-none': row.none ? '' : null, 'data-average': row.kind === 'average' ? '' : null }),
    });
    nothing.hidden = rows.length > 0;
    setText(
      nothing,
      host.match.error ? `Not a regular expression: ${host.match.error}` : `No row matches “${place.search}”.`,
    );
    tellStatus();
    setAttr(table.root, 'data-empty', rows.length === 0 ? '' : null);
  }

  /** No row is chosen here: the keys scroll. */
  function move(step) {
    if (rows.length === 0) return false;
    table.scrollBy(step);
    return true;
  }

  return {
    root,
    update,
    summary: () => (host.match.empty ? '' : `${count(rows.length)} of ${count(all)}`),
    next: move,
    actions: tableKeys('Checkpoints', 'row', table, move, order),
  };
}

export const checkpoints = { id: 'checkpoints', title: 'Checkpoints', create };
