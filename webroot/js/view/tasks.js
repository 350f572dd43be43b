// tasks.js - threads and interrupts: how busy each is, and what keeps it from running.
//
// For a range that is no longer kept, the run time of contexts is unknown; the table is of the whole then, and states that.

import { el, setAttr, setText } from '../dom.js';
import { emptyTasks } from '../model/empty.js';
import { count, duration, percent, plural, ticksNote } from '../model/format.js';
import { SteadyOrder } from '../model/rows.js';
import { placeOfStretch } from '../model/range.js';
import { StackSizes } from '../model/stacksizes.js';
import { stretchWords, withFigures } from '../model/taskfigures.js';
import { filterTasks, processorLoad, RecentLoads, sortTasks, taskColumns, taskRows, tellsTasks, tellsWaits } from '../model/tasks.js';
import { Asked } from '../part/asked.js';
import { createEmpty } from '../part/empty.js';
import { createFoot, whyEmpty } from '../part/foot.js';
import { createTable } from '../part/table.js';
import { createOrder, tableKeys } from '../part/table-keys.js';
import { createChains } from './tasks/chains.js';
import { createLoads } from './tasks/loads.js';
import { stackCell } from './tasks/stack.js';

const turns = ['running', 'preempted', 'blocked'];
const everyMs = 2000;
const [headPx, rowPx, idlePx] = [32, 40, 42]; // as css/tasks.css has them
const highPx = 64; // has room for words of two lines
const rowMostPx = () => (innerWidth < 1900 ? 120 : 480); // a curve is no better for being higher than wide

function create(host) {
  const view = {
    host,
    rows: [],
    columns: [],
    sorted: null, // the column
    all: 0,
    recent: new RecentLoads(),
    clearing: host.live.clearing,
    steady: new SteadyOrder((row) => row.id),
    empty: createEmpty(host),
    load: createLoad(),
    loads: createLoads(host),
    sizes: new StackSizes(() => localStorage),
    chains: createChains(host),
    asked: host.fetchTasks && new Asked((range) => host.fetchTasks(range), host.fresh, everyMs),
  };
  view.table = createTable('Tasks', 'tasks-table', {
    sort: (column) => order.by(column),
    scroll: () => host.redraw(),
  }, { isWhole: true });
  const order = createOrder(
    host,
    () => view.columns,
    () => view.sorted,
  );
  view.foot = createFoot(view.table, view.load.root);
  view.table.root.append(view.chains.root);
  const { table, foot, empty } = view;
  const side = el('div', { class: 'table-side' }, table.root, foot.nothing, foot.root);
  view.body = el('div', { class: 'table-body' }, side);
  const root = el('section', { class: 'view tasks', 'aria-label': 'Tasks' }, view.body, empty.root);
  const move = (step) => scroll(view, step);
  return {
    root,
    update: () => update(view),
    summary: () => (host.match.empty ? '' : `${count(view.rows.length)} of ${count(view.all)}`),
    next: move,
    actions: tableKeys('Tasks', 'row', table, move, order),
  };
}

/** The processor's total load, below the table to leave the space above to it, and what ≤ means there. */
function createLoad() {
  const extent = el('p', { class: 'extent' });
  const note = el('p', { class: 'tasks-note' });
  const bound = el('p', { class: 'tasks-bound' }, 'Max ready ≤: at most, since targets do not report when a task becomes ready');
  const span = el('p', { class: 'tasks-bound' });
  const root = el('div', { class: 'tasks-load' }, extent, note, span, bound);
  return {
    root,
    /**
     * `isRange`: loads are of the range; `isMissed`: they should be, but are not; `isBound`: the table has upper bounds; `held`: how
     * long the stretch is that responses and waits are known in, or ''.
     */
    show({ now, all }, { isRange, isMissed, isBound, held }) {
      setText(span, held === '' ? '' : `Runs, responses and longest times of the last ${held}.`);
      span.hidden = held === '';
      bound.hidden = !isBound;
      const words =
        all === null
          ? 'CPU load unknown: neither an idle thread nor a main loop is known'
          : `CPU load ${now === null ? '' : `${percent(now)} now · `}${percent(all)} ${isRange ? 'in this range' : 'over all'}`;
      setText(extent, words);
      setText(note, isMissed ? 'For all time: running times in this range are no longer available.' : '');
      note.hidden = !isMissed;
    },
  };
}

/** Shares of running, preempted and blocked in the time in which the context is known. */
function turnsColumn() {
  return {
    id: 'turns',
    title: 'State',
    tip: 'Solid: ran; dots: preempted; lines: blocked',
    plain: true,
    cell() {
      const parts = turns.map((turn) => el('span', { class: `turn turn-${turn}` }));
      const track = el('span', { class: 'turns', 'aria-hidden': 'true' }, ...parts);
      return { nodes: [track], set: (row) => showTurns(row, parts) };
    },
  };
}

function showTurns(row, parts) {
  const whole = turns.reduce((sum, turn) => sum + row[turn], 0);
  turns.forEach((turn, i) => {
    parts[i].hidden = row[turn] === 0;
    parts[i].style.width = whole > 0 ? `${((100 * row[turn]) / whole).toFixed(2)}%` : '0';
  });
}

/** Divides the height left by headings, idle contexts and chains of calls among the rows. */
function shareHeight({ table, chains, rows }) {
  const busy = rows.filter(({ isIdle }) => !isIdle).length;
  const room = table.root.clientHeight - headPx - (rows.length - busy) * idlePx - chains.root.offsetHeight;
  const each = Math.max(Math.floor(Math.min(room / Math.max(busy, 1), rowMostPx())), rowPx);
  table.root.style.setProperty('--task-row', `${each}px`);
  setAttr(table.root, 'data-high', each < highPx ? null : '');
}

/** A figure that links to its time on the timeline, and below it the reason. */
function leadCell(view, { id, text, why }) {
  const { host } = view;
  const link = el('button', { type: 'button', class: 'link', onclick: () => host.go(placeOfStretch(stretch)) });
  const none = el('span');
  const note = el('span', { class: 'task-why' });
  let stretch = null;
  return {
    nodes: [link, none, note],
    set(row, scale) {
      stretch = row.stretches[id];
      const isThere = stretch !== null;
      const words = text(row, scale);
      link.hidden = !isThere;
      none.hidden = isThere;
      setText(isThere ? link : none, words);
      setAttr(link, 'title', isThere ? stretchWords(stretch, host.profile) || null : null);
      setText(note, isThere && why ? why(stretch, host.profile) : '');
    },
  };
}

/** Adds cells to the columns that are not plain text. */
function madeCell(view, column) {
  if (column.id === 'stack') return { ...column, cell: () => stackCell(column, view.sizes, view.host.redraw) };
  return column.leads ? { ...column, cell: () => leadCell(view, column) } : column;
}

/** True while a stack size is typed: other columns would make its field again. */
const isTyping = ({ table }) => table.root.contains(document.activeElement) && document.activeElement.matches('.stack-size');

function columnsOf(view, every, isLive) {
  const told = taskColumns(every, isLive).map((column) => madeCell(view, column));
  const made = [...(tellsWaits(every) ? [turnsColumn()] : []), ...(view.loads.isThere() ? [view.loads.column] : [])];
  return [...told.slice(0, 2), ...made, ...told.slice(2)];
}

function listRows(view, every, isLive) {
  const { place, match, paused } = view.host;
  if (view.columns.length === 0 || !isTyping(view)) view.columns = columnsOf(view, every, isLive);
  const { columns } = view;
  view.sorted = columns.find(({ id, plain }) => id === place.sort && !plain) ?? columns.find(({ id }) => id === 'load');
  const key = [view.sorted.id, place.rising, place.search, paused].join('|');
  view.rows = view.steady.arrange(filterTasks(every, match), key, performance.now(), (list) =>
    sortTasks(list, view.sorted, place.rising),
  );
}

function update(view) {
  const { host, table, body, empty, load, recent, foot } = view;
  const { whole, profile, match, place } = host;
  const isRange = host.range !== null && tellsTasks(profile);
  const live = host.range === null ? profile : whole; // with or without idle time, as chosen
  if (host.live.clearing !== view.clearing) {
    view.clearing = host.live.clearing;
    view.recent = new RecentLoads();
  } else if (!host.paused) {
    recent.add(performance.now(), live, whole);
  }
  const nothing = !tellsTasks(whole);
  load.root.hidden = body.hidden = nothing;
  if (nothing) {
    empty.tell(emptyTasks(whole, host.answers));
    return;
  }
  empty.hide();
  if (host.answers) view.asked?.want(`${place.range}|${host.paused}|${whole.sequence}`, host.range);
  const every = withFigures(isRange ? taskRows(profile, null) : taskRows(live, view.recent), view.asked?.answer ?? null);
  view.all = every.length;
  view.loads.update();
  listRows(view, every, !isRange && !host.paused && host.answers && whole.source.state === 'connected');
  view.chains.show(view.rows);
  shareHeight(view);
  load.show(processorLoad(isRange ? host.measured : whole, whole, isRange ? null : view.recent), {
    isRange,
    isMissed: host.range !== null && !isRange,
    isBound: view.columns.some(({ id }) => id === 'ready'),
    held: host.range === null ? heldWords(view.asked?.answer ?? null, whole) : '',
  });
  table.show(view.rows, view.columns, {
    sorted: { id: view.sorted.id, rising: place.rising },
    scale: whole.ticksPerSecond,
    marks: (row) => ({ 'data-idle': row.isIdle ? '' : null }),
  });
  const shown = match.empty ? plural(view.all, 'context') : `${count(view.rows.length)} of ${plural(view.all, 'context')}`;
  foot.tell(
    [shown, whole.ticksPerSecond ? '' : ticksNote],
    whyEmpty(view.rows, match, `No context matches “${place.search}”.`),
  );
  setAttr(table.root, 'data-empty', view.rows.length === 0 ? '' : null);
}

/** How long the stretch is that the answer is of; '' without one. */
const heldWords = (answer, { ticksPerSecond }) => (answer?.newest > answer?.from ? duration(answer.newest - answer.from, ticksPerSecond) : '');

/** Rows cannot be selected here, so the keys scroll. */
function scroll({ rows, table }, step) {
  if (rows.length === 0) return false;
  table.scrollBy(step);
  return true;
}

export const tasks = { id: 'tasks', title: 'Tasks', create };
