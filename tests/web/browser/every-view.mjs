// every-view.mjs - defines for each view what a reader does there, by mouse and by keys, and compares the figures on
// the screen with those of the daemon.
//
// `same(page, told)` fails until both are equal; `told(path)` requests the daemon's JSON.

import assert from 'node:assert/strict';

import { bytes, cellDuration, count, duration, percent } from '../../../webroot/js/model/format.js';
import { loadCurve } from '../../../webroot/js/model/loadcurve.js';
import { Picture } from '../../../webroot/js/model/picture.js';
import { isPlaceholder } from '../../../webroot/js/model/placeholder.js';
import { chooseInView, eventually, figure, hash, rowSpot, show, text } from './support.mjs';

const sum = (column) => column.reduce((all, x) => all + (x ?? 0), 0);
const texts = (page, selector) => page.locator(selector).filter({ visible: true }).allInnerTexts();
const until = (page, words) => eventually(async () => assert.match(await hash(page), words));
const chosen = async (page, name) => new URLSearchParams((await hash(page)).split('?')[1]).get(name);
const byName = ({ functions }, name) => functions.find((fn) => fn.name === name);

/** Returns the text for a time of a function or frame. */
const timed = (ticks, { target }) => (ticks === null ? '–' : duration(ticks, target.ticks_per_second));

const sampled = ({ samples }) => (samples?.total ?? 0) > 0;

/** Returns the visible terms and values (dt, dd) of `selector` as an object. */
const pairs = (page, selector) =>
  page
    .locator(selector)
    .evaluateAll((list) =>
      Object.fromEntries(
        list
          .filter((one) => one.offsetParent !== null)
          .map((one) => [one.querySelector('dt').innerText, one.querySelector('dd').innerText]),
      ),
    );

/** Returns the rows of a table, each as an object of cell texts by column id. */
const rowsOf = (page, table) =>
  page.locator(`.${table} tbody tr:not(.spacer):not([hidden])`).evaluateAll((list) =>
    list.map((row) =>
      Object.fromEntries([
        ...[...row.children].map((cell) => [/col-(\w+)/.exec(cell.className)[1], cell.innerText.trim()]),
        ['tip', row.querySelector('th button')?.title],
      ]),
    ),
  );

/** Returns the number of flame graph rows above the outermost functions: the root, and the context if there are several. */
const rootsOf = ({ call_tree: tree }) =>
  new Set(tree.context.filter((_, at) => tree.parent[at] === 0)).size > 1 ? 2 : 1;

/** Returns the whole time: the sum over the outermost functions, since placeholders of unknown callers have no self time. */
const wholeOf = (tree) => sum(tree.total_ticks.filter((_, at) => tree.parent[at] === 0));

const flame = {
  async mouse(page, told) {
    await page.locator('.hot-list li:not([hidden]) button').first().click();
    await page.locator('.flame-scroll canvas:visible').click({ position: await rowSpot(page, rootsOf(await told('snapshot'))) });
    await until(page, /zoom=/);
  },
  async keys(page) {
    await page.locator('.hot-list li:not([hidden])').first().waitFor();
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await until(page, /zoom=/);
  },
  async same(page, told) {
    const all = await told('snapshot');
    const { call_tree: tree, functions } = all;
    const much = sampled(all) ? `${count(all.samples.total)} samples` : `${count(sum(tree.calls))} calls`;
    const extent = await text(page, '.extent');
    const whole = wholeOf(tree);
    assert.ok(extent.startsWith(`${timed(whole, all)} in ${much} ·`), `${extent}: ${much}`);
    // Finds the zoomed frame in the tree by its path, which begins with the context if there are several.
    let row = 0;
    for (const name of (await page.locator('.crumbs li').allInnerTexts()).slice(rootsOf(all)))
      row = tree.function.findIndex((fn, at) => tree.parent[at] === row && functions[fn]?.name === name);
    assert.ok(row > 0, await hash(page));
    assert.equal(await figure(page, 'Total'), timed(tree.total_ticks[row], all));
    const isReal = !isPlaceholder(functions[tree.function[row]]);
    if (!sampled(all)) assert.equal(await figure(page, 'Calls'), isReal ? count(tree.calls[row]) : '–');
  },
};

/** Returns the single calls that begin in the middle of the timeline as { rows, single }; widens the stretch if it has none. */
async function callsInTheMiddle(told) {
  const { oldest, newest } = await told('timeline?max=1');
  const middle = (oldest + newest) / 2;
  for (const share of [8, 4, 2]) {
    const [from, to] = [middle - (newest - oldest) / share, middle + (newest - oldest) / share].map(Math.round);
    const { rows } = await told(`timeline?from=${from}&to=${to}&max=100000`);
    const single = rows.start.map((_, i) => i).filter((i) => rows.calls[i] === 1 && rows.start[i] > from);
    if (single.length > 0) return { rows, single };
  }
  throw new Error('the timeline has no call that stands for itself');
}

const timeline = {
  /** Clicks the longest call in the middle of the timeline. */
  async mouse(page, told) {
    const { rows, single } = await callsInTheMiddle(told);
    const at = single.reduce((best, i) => (rows.duration[i] > rows.duration[best] ? i : best), single[0]);
    const [start, length] = [rows.start[at], rows.duration[at]];
    await show(page, `#timeline?at=${start - length}-${start + 2 * length}`);
    const lane = page.locator(`.lane-head[data-context="${rows.context[at]}"]`);
    await lane.waitFor();
    const least = Math.min(...rows.depth.filter((_, i) => rows.context[i] === rows.context[at]));
    const { name } = (await told('snapshot')).functions[rows.function[at]];
    const spot = await eventually(async () => {
      const sheet = await page.locator('.timeline-scroll canvas').boundingBox();
      const head = await lane.boundingBox();
      const rowPx = Number(await page.locator('.timeline-scroll canvas').getAttribute('data-row'));
      const [x, y] = [sheet.x + sheet.width * (0.45 + 0.1 * Math.random()), head.y + 19 + (rows.depth[at] - least + 0.5) * rowPx];
      await page.mouse.move(x, y);
      assert.equal(await text(page, '.timeline .detail-name'), name);
      return { x, y };
    });
    await page.mouse.click(spot.x, spot.y);
    await until(page, new RegExp(`call=${rows.context[at]}-${rows.depth[at]}-${start}`));
  },
  async keys(page) {
    await page.locator('.lane-head').first().waitFor();
    await page.keyboard.press('0');
    await until(page, /at=all/);
    // Zooms in on merged calls until a single one is selected.
    await eventually(async () => {
      await page.keyboard.press('ArrowDown');
      const name = await text(page, '.timeline .detail-name');
      if (/calls, longest/.test(name)) await page.keyboard.press('z');
      assert.doesNotMatch(name, /calls, longest/);
      assert.match(await hash(page), /call=/);
    });
  },
  async same(page, told) {
    const all = await told('snapshot');
    const [context, depth, start] = (await chosen(page, 'call')).split('-').map(Number);
    const { rows, away } = await told(`timeline?from=${start}&to=${start + 1}&max=100000`);
    const find = (list) =>
      list.start.findIndex((one, i) => one === start && list.context[i] === context && list.depth[i] === depth);
    const [at, rest] = [find(rows), find(away)];
    // Keys may select a stretch in which the context did not run.
    const isRest = at < 0 && rest >= 0;
    const name = isRest ? away.kind[rest] : all.functions[rows.function[at]]?.name;
    const shown = await text(page, '.timeline .detail-name');
    assert.equal(isRest ? shown.toLowerCase() : shown, name);
    assert.equal(await figure(page, 'Duration'), timed(isRest ? away.duration[rest] : rows.duration[at], all));
    assert.equal(await figure(page, 'Depth'), isRest ? '–' : String(depth));
  },
};

/** Returns the busy ticks of the whole timeline: the outermost calls without their pauses, for a main loop that idles outside of all calls. */
async function busyTicks(told) {
  const { rows, away } = await told('timeline?max=100000');
  const least = new Map();
  rows.context.forEach((context, i) => least.set(context, Math.min(least.get(context) ?? Infinity, rows.depth[i])));
  const ran = sum(rows.start.map((_, i) => (rows.depth[i] === least.get(rows.context[i]) ? (rows.busy ?? rows.duration)[i] : 0)));
  return ran - sum(away.start.map((_, i) => (away.depth[i] > least.get(away.context[i]) ? away.duration[i] : 0)));
}

/** Returns the busy ticks in the load over time that the page draws. */
async function drawnTicks(told, contexts) {
  const curve = loadCurve(new Picture(await told('timeline?max=6000&load=1000')), 700, { contexts: new Map(contexts.map((row) => [row.id, row])), functions: [] });
  return (curve.to - curve.from) * sum(curve.bands.map(({ share }) => share));
}

const tasks = {
  async mouse(page) {
    await page.locator('.tasks-table thead .col-running button').click();
    await until(page, /sort=running/);
  },
  async keys(page) {
    await page.locator('.tasks-table tbody th').first().waitFor();
    await page.keyboard.press('>');
    await until(page, /sort=/);
  },
  async same(page, told) {
    const { contexts, target } = await told('snapshot');
    const rows = await rowsOf(page, 'tasks-table');
    assert.ok(rows.length > 1);
    assert.equal(rows.length, contexts.length);
    const known = sum(contexts.map((row) => row.running_ticks));
    for (const row of rows) {
      const one = contexts.find(({ name }) => name === row.name);
      for (const id of ['running', 'preempted', 'blocked'])
        assert.equal(row[id], cellDuration(one[`${id}_ticks`], target.ticks_per_second), `${row.name} ${id}`);
      assert.equal(row.load, percent(one.running_ticks / known), row.name);
      assert.ok(Math.abs(one.load_percent - (100 * one.running_ticks) / known) < 0.001, row.name);
    }
    const said = Number(/^CPU load .*?([\d.]+) % over all$/.exec(await text(page, '.tasks .extent'))?.[1]);
    const counted = (100 * (await busyTicks(told))) / known;
    assert.ok(Math.abs(said - counted) < 0.2 + 0.05 * counted, `load ${said} %, of the calls ${counted} %`);
    const drawn = (100 * (await drawnTicks(told, contexts))) / known;
    assert.ok(Math.abs(drawn - counted) < 0.2 + 0.1 * counted, `drawn ${drawn} %, of the calls ${counted} %`);
    const header = page.locator('#facts .load');
    if (await header.isVisible()) assert.match(await header.innerText(), /^[<>]? ?[\d.]+ %( now)?$/);
  },
};

const functions = {
  async mouse(page) {
    await page.locator('.functions-table thead .col-calls button').click();
    await until(page, /sort=calls/);
    await page.locator('.functions-table tbody th button').first().click();
    await until(page, /fn=/);
  },
  async keys(page) {
    await page.locator('.functions-table tbody th').first().waitFor();
    await eventually(async () => {
      await page.keyboard.press('ArrowDown');
      assert.match(await hash(page), /fn=/);
    });
  },
  async same(page, told) {
    const all = await told('snapshot');
    const ticks = ['self', 'total', 'mean', 'min', 'p50', 'p90', 'p99', 'max'];
    const rows = await rowsOf(page, 'functions-table');
    assert.ok(rows.length > 1);
    for (const row of rows) {
      const fn = byName(all, row.tip.split('\n')[0]); // the text of a long name is shortened
      assert.equal(row.calls, count(fn.calls), row.name);
      if (sampled(all)) assert.equal(row.samples, count(fn.samples), row.name);
      for (const id of ticks.filter((one) => row[one] !== undefined))
        assert.equal(row[id], cellDuration(fn[`${id}_ticks`], all.target.ticks_per_second), `${row.name} ${id}`);
    }
    const name = await text(page, '.sandwich-name');
    const stats = await pairs(page, '.stats > div');
    assert.equal(stats.Calls ?? '–', count(byName(all, name).calls), name);
    if (!sampled(all)) assert.equal(stats.Total, timed(byName(all, name).total_ticks, all), name);
  },
};

const graph = {
  async mouse(page) {
    const other = page.locator('.graph-box[aria-label*=", total "]:not([data-centre]):not([data-more]):not([data-placeholder])').first();
    const name = (await other.getAttribute('aria-label')).split(', total ')[0];
    await other.click();
    await eventually(async () => assert.equal(await chosen(page, 'fn'), name));
  },
  async keys(page) {
    await page.locator('.graph-box').first().waitFor();
    for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await until(page, /fn=/);
  },
  async same(page, told) {
    const all = await told('snapshot');
    const { call_tree: tree } = all;
    const whole = sum(all.functions.map((fn) => fn.self_ticks));
    const label = await page.locator('.graph-box[data-centre]').getAttribute('aria-label');
    const fn = byName(all, await chosen(page, 'fn'));
    const shares = `total ${percent(fn.total_ticks / whole)}, self ${percent(fn.self_ticks / whole)}`;
    // A placeholder for an unknown caller has no figures.
    const runs = fn.running > 0 ? (fn.calls > 0 ? ' that returned, and it still runs' : 'still runs') : '';
    const calls = fn.calls > 0 || !runs ? `${count(fn.calls)} calls${runs}` : runs;
    assert.equal(label, fn.total_ticks === null ? fn.name : `${fn.name}, ${shares}, ${calls}`);
    const arrows = (await page.locator('.graph-arrow title').allTextContents())
      .map((title) => title.split(/ → |\n/))
      .filter((ends) => ends.slice(0, 2).includes(fn.name) && ends.slice(0, 2).every((end) => byName(all, end)));
    assert.ok(arrows.length > 0);
    for (const [from, to, words] of arrows) {
      const [caller, callee] = [byName(all, from).id, byName(all, to).id];
      const calls = sum(
        tree.calls.filter((_, at) => tree.function[at] === callee && tree.function[tree.parent[at]] === caller),
      );
      assert.equal(/([\d,]+) calls?$/.exec(words)[1], count(calls), `${from} → ${to}`);
    }
  },
};

const source = {
  async mouse(page) {
    await page.locator('.chooser input').click();
    await page.locator('.chooser-list [role="option"]').nth(1).click();
    await until(page, /fn=/);
  },
  async keys(page) {
    await page.locator('.chooser input').waitFor();
    await page.keyboard.press('c');
    await page.locator('.chooser-list [role="option"]').first().waitFor();
    for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
    await until(page, /fn=/);
  },
  async same(page, told) {
    const name = await chosen(page, 'fn');
    const answer = await told(`functions/${byName(await told('snapshot'), name).id}/source`);
    const code = page.locator('.source-code tbody tr:not(.spacer):not([hidden]) th');
    const shown = (await code.allInnerTexts()).map((cell) => Number(`0x${cell}`));
    assert.ok(shown.length > 0);
    const known = answer.instructions.map((row) => Number(row.address));
    assert.deepEqual(shown, known.slice(known.indexOf(shown[0]), known.indexOf(shown[0]) + shown.length));
    const status = (await texts(page, '.table-status')).join(' ');
    assert.match(status, new RegExp(`${count(known.length)} instructions`));
    const numbers = (
      await page.locator('.source-source tbody tr:not(.spacer):not([hidden]) th').allInnerTexts()
    ).filter((cell) => /^\d+$/.test(cell)); // not the names of other files, nor gaps
    if (answer.available.source) {
      const lines = [answer, ...answer.inlined].flatMap((part) => part.lines.map((row) => String(row.line)));
      const first = lines.indexOf(numbers[0]);
      assert.deepEqual(numbers, lines.slice(first, first + numbers.length));
      assert.equal(await text(page, '.source-place'), `${answer.file}:${answer.line}`);
    } else {
      assert.match((await texts(page, '.source-note')).join(' '), /compile its file with -g/);
    }
  },
};

const checkpoints = {
  async mouse(page) {
    await page.locator('.checkpoints-table thead .col-count button').click();
    await until(page, /sort=count/);
  },
  async keys(page) {
    await page.locator('.checkpoints-table tbody th').first().waitFor();
    await page.keyboard.press('>');
    await until(page, /sort=/);
  },
  async same(page, told) {
    const { checkpoints: known, target } = await told('snapshot');
    const shown = await rowsOf(page, 'checkpoints-table');
    const words = (rows, fields) => rows.map((row) => fields.map((field) => row[field]).join(' ')).sort();
    assert.deepEqual(
      words(shown, ['count', 'min', 'mean', 'max']),
      words(
        known.map((row) => ({
          count: count(row.count),
          ...Object.fromEntries(
            ['min', 'mean', 'max'].map((id) => [id, cellDuration(row[`${id}_ticks`], target.ticks_per_second)]),
          ),
        })),
        ['count', 'min', 'mean', 'max'],
      ),
    );
  },
};

const messages = {
  async mouse(page) {
    await page.locator('.messages-table tbody tr:not(.spacer):not([hidden])').first().click();
    await until(page, /message=/);
  },
  async keys(page) {
    await page.locator('.messages-table tbody tr:not(.spacer):not([hidden])').first().waitFor();
    await page.keyboard.press('ArrowUp');
    await until(page, /message=/);
  },
  async same(page, told) {
    const { messages: known, messages_dropped: dropped } = await told('snapshot');
    const shown = await page
      .locator('.messages-table tbody tr:not(.spacer):not([hidden])')
      .evaluateAll((list) =>
        list.map((row) => [
          Number(row.getAttribute('aria-rowindex')) - 2,
          row.querySelector('.col-text').innerText,
          row.querySelector('.col-severity').innerText,
        ]),
      );
    assert.ok(shown.length > 5);
    for (const [at, words, severity] of shown) {
      assert.equal(words, known[at].text);
      assert.ok(severity.endsWith(known[at].severity), severity);
    }
    assert.match(await text(page, '.messages .table-status'), new RegExp(`^${count(known.length)} messages`));
    const { text: said } = known[Number(await chosen(page, 'message')) - dropped];
    assert.ok((await text(page, '.message-details')).includes(said), said);
  },
};

/** Compares the whole profile with the mark. A complete recording is compared that way at once; otherwise `choose` selects it. */
async function compareAll(page, choose) {
  const whole = page.locator('.compare-verdict', { hasText: 'the recording is complete' });
  await whole.or(page.locator('.side', { hasText: /since the mark/i })).first().waitFor();
  if (await whole.isVisible()) return;
  await choose();
  await until(page, /since=0/);
}

const compare = {
  async mouse(page) {
    await page.locator('.compare-start button', { hasText: 'Mark now' }).click();
    await compareAll(page, () => chooseInView(page, 'The whole profile'));
  },
  async keys(page) {
    await page.locator('.compare-start button:not([disabled])', { hasText: 'Mark now' }).waitFor();
    await page.keyboard.press('m');
    await compareAll(page, () => page.keyboard.press('i'));
  },
  async same(page, told) {
    const all = await told('snapshot');
    const { call_tree: tree } = all;
    const extent = `${timed(wholeOf(tree), all)} in ${count(sum(tree.calls))} calls`;
    const sides = await texts(page, '.side');
    assert.equal(sides.length, 2);
    for (const side of sides) assert.ok(side.endsWith(extent), `${side}, not ${extent}`);
  },
};

/** Checks the busiest functions and their shares and, on a real daemon, the slowest calls if there are any. */
const overview = {
  async same(page, told) {
    const { functions } = await told('snapshot');
    const own = functions.filter(({ self_ticks: ticks }) => ticks > 0);
    const whole = sum(own.map(({ self_ticks: ticks }) => ticks));
    const most = own.filter((fn) => !isPlaceholder(fn)).sort((a, b) => b.self_ticks - a.self_ticks || a.id - b.id).slice(0, 8);
    const list = page.locator('.overview-aside').getByRole('region', { name: 'Busiest functions' }).locator('li');
    assert.deepEqual(await list.locator('strong').allInnerTexts(), most.map(({ self_ticks: ticks }) => percent(ticks / whole)));
    const { calls } = await told('slowest');
    assert.deepEqual(
      await page.locator('.slowest tbody tr:not([hidden]) .slow-name button').evaluateAll((names) => names.map(({ title }) => title)),
      calls.map((call) => functions[call.function].name),
    );
  },
};

const link = {
  async same(page, told) {
    const { link: known } = await told('snapshot');
    const lost = count(known.records_lost);
    const uncounted = known.records_lost > 0 ? `${lost}+` : '?'; // the cost of an overflow is unknown
    const shown = await pairs(page, '.card dl > div');
    for (const [label, value] of [
      ['Bytes', bytes(known.bytes)],
      ['Packets', count(known.packets)],
      ['Records', count(known.records)],
      ['CRC errors', count(known.crc_errors)],
      ['Framing errors', count(known.framing_errors)],
      ['Bytes skipped', count(known.bytes_skipped)],
      ['Records lost', known.losses_of_unknown_size > 0 ? uncounted : lost],
      ['Calls without a caller', count(known.unplaced_calls)],
      ['Ends without a beginning', count(known.orphan_exits)],
      ['Ends not seen', count(known.missing_exits)],
      ['Device restarts', count(known.target_resets)],
    ])
      assert.equal(shown[label], value, label);
  },
};

export const views = { overview, flame, timeline, tasks, functions, graph, source, checkpoints, messages, compare, link };
