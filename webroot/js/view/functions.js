// functions.js - the table of functions, and beside it the card of the selected one.

import { el, setAttr, setText } from '../dom.js';
import { costWords } from '../model/cost.js';
import { count, place as sourcePlace, plural, ticksNote } from '../model/format.js';
import { tipOfFunction } from '../model/names.js';
import { explain, isPlaceholder } from '../model/placeholder.js';
import { SteadyOrder } from '../model/rows.js';
import { columnsFor, filterRows, functionRows, hasCorrected, sortedColumn, sortRows } from '../model/table.js';
import { createCompareWith } from '../part/compare-with.js';
import { createSandwich } from '../part/card/sandwich.js';
import { createEmpty } from '../part/empty.js';
import { createFoot, whyEmpty } from '../part/foot.js';
import { createTable } from '../part/table.js';
import { createOrder, tableKeys } from '../part/table-keys.js';

const hints = {
  name: ({ fn }) => [tipOfFunction(fn), fn.running > 0 ? explain(fn) : ''].filter(Boolean).join('\n'),
  place: ({ fn }) => sourcePlace(fn),
};
const group = 'Functions';

function create(host) {
  const view = {
    host,
    rows: [], // all that are listed, in order
    columns: [],
    sorted: null, // the column
    steady: new SteadyOrder((row) => row.fn.id),
    correction: createCorrection(host),
    sandwich: createSandwich(host),
    empty: createEmpty(host),
  };
  const order = createOrder(
    host,
    () => view.columns,
    () => view.sorted,
  );
  view.table = createTable('Functions', 'functions-table', {
    choose: ({ fn }) => host.go({ fn: host.profile.labelOf(fn.id) }),
    sort: (column) => order.by(column),
    scroll: () => host.redraw(),
  }, { isRoomy: true });
  view.foot = createFoot(view.table, view.correction.root, createCompareWith(host));
  const { table, foot, sandwich, empty } = view;
  const side = el('div', { class: 'table-side' }, table.root, foot.nothing, foot.root);
  view.body = el('div', { class: 'table-body' }, side, sandwich.root);
  return {
    root: el('section', { class: 'view functions', 'aria-label': 'Functions' }, view.body, empty.root),
    update: () => update(view),
    back: () => back(host),
    summary: () =>
      host.match.empty ? '' : `${count(view.rows.length)} of ${count(functionRows(host.profile).length)}`,
    next: (step) => move(view, step),
    actions: actionsOf(view, order),
  };
}

const correct = (host) => hasCorrected(host.profile) && host.go({ corrected: !host.place.corrected }, { replace: true });

/** Below the table, where the target reports what measuring costs. */
function createCorrection(host) {
  const title = 'Times without the known cost of measuring (c)';
  const press = el('button', { type: 'button', class: 'button small', title, onclick: () => correct(host) }, '≈ Corrected');
  const note = el('p', { class: 'functions-note' });
  const root = el('div', { class: 'functions-correction' }, press, note);
  return {
    root,
    /** Returns true if times are to be shown corrected. */
    show() {
      const { profile, place } = host;
      root.hidden = !hasCorrected(profile);
      if (root.hidden) return false;
      setAttr(press, 'aria-pressed', String(place.corrected));
      setText(note, place.corrected ? costWords(profile) : '');
      return place.corrected;
    },
  };
}

function actionsOf(view, order) {
  const { table, sandwich, host } = view;
  const limit = { keys: ['l'], label: 'Limit: get a notice when its calls take longer', group, run: sandwich.beginLimit };
  const toSource = { keys: ['s'], label: 'Open in Source', group, run: sandwich.toSource };
  return [
    ...tableKeys(group, 'function', table, (step) => move(view, step), order),
    { keys: ['c'], label: 'Correct times', group, run: () => correct(host) },
    { keys: ['g'], label: 'Find in the flame graph', group, run: sandwich.toFlame },
    { keys: ['y'], label: 'Copy its name', group, run: sandwich.copyName },
    ...(host.fetchPeriods === null ? [] : [{ keys: ['d'], label: 'Duration or period', group, run: sandwich.turn }]),
    { keys: ['p'], label: 'Pin: watch it in the overview', group, run: sandwich.pin },
    ...(host.views.includes('source') ? [toSource] : []),
    ...(host.openLimits === null ? [] : [limit]),
  ];
}

function listRows(view, all, isCorrected) {
  const { place, match, paused } = view.host;
  view.columns = columnsFor(view.host.figures, all, isCorrected).map((column) => ({ ...column, hint: hints[column.id] }));
  view.sorted = sortedColumn(view.columns, place.sort);
  const key = [view.sorted.id, place.rising, place.search, paused, isCorrected].join('|');
  view.rows = view.steady.arrange(filterRows(all, match), key, performance.now(), (list) =>
    sortRows(list, view.sorted, place.rising),
  );
}

function tell({ host, rows, columns, foot }, all) {
  const { profile, place, match } = host;
  const timed = columns.some((column) => column.id === 'self');
  foot.tell(
    [
      match.empty ? plural(all.length, 'function') : `${count(rows.length)} of ${plural(all.length, 'function')}`,
      timed && !profile.ticksPerSecond ? ticksNote : '',
    ],
    whyEmpty(rows, match, `No function matches “${place.search}”.`),
  );
}

function update(view) {
  const { host, body, empty, sandwich } = view;
  const { profile, place } = host;
  const isCorrected = view.correction.show();
  const all = functionRows(profile, isCorrected);
  body.hidden = all.length === 0;
  if (body.hidden) {
    empty.show(profile, host.answers);
    return;
  }
  empty.hide();
  listRows(view, all, isCorrected);
  const chosen = profile.idOf(place.fn);
  view.table.show(view.rows, view.columns, {
    sorted: { id: view.sorted.id, rising: place.rising },
    scale: profile.ticksPerSecond,
    of: all,
    marks: ({ fn }) => ({
      'aria-selected': fn.id === chosen ? 'true' : null,
      'data-placeholder': isPlaceholder(fn) ? '' : null,
      'data-running': fn.running > 0 ? '' : null,
    }),
  });
  sandwich.update();
  setAttr(body, 'data-open', sandwich.open() ? '' : null);
  tell(view, all);
}

function move({ host, rows, table }, step) {
  const chosen = host.profile.idOf(host.place.fn);
  const at = rows.findIndex((row) => row.fn.id === chosen);
  const to = at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1);
  if (rows[to] === undefined) return false;
  host.go({ fn: host.profile.labelOf(rows[to].fn.id) }, { replace: true });
  table.reveal(to);
  return true;
}

function back(host) {
  if (host.place.fn === '') return false;
  host.go({ fn: '' });
  return true;
}

export const functions = { id: 'functions', title: 'Functions', create };
