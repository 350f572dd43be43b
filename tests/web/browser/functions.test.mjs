// functions.test.mjs - the table of functions and the sandwich.

import assert from 'node:assert/strict';

import { duration } from '../../../webroot/js/model/format.js';
import { periodsOf } from '../mock-histogram.mjs';
import { description } from '../mock-server.mjs';
import { ask, eventually, hash, needsMock, open, ownMock, pause, quiet, rowName, show, snapshot, tableNames, test, testOfAll, text, violations } from './support.mjs';

testOfAll('the table names exactly the functions of the snapshot', async (t) => {
  const page = await open(t, '#functions?sort=name&rising=1');
  await page.locator('.functions-table tbody th').first().waitFor();
  await eventually(async () => {
    const { functions } = await snapshot();
    const expected = functions.filter((fn) => fn.calls > 0 || fn.total_ticks > 0).map((fn) => fn.name);
    assert.deepEqual((await tableNames(page)).sort(), [...new Set(expected)].sort());
  });
  quiet();
});

testOfAll('numbers grow live', async (t) => {
  const page = await open(t, '#functions?sort=calls');
  const cell = page.locator('.functions-table tbody tr:not(.spacer) td.col-calls').first();
  await cell.waitFor();
  const number = async () => Number((await cell.innerText()).replaceAll(',', ''));
  const first = await number();
  await eventually(async () => assert.ok((await number()) > first));
  quiet();
});

testOfAll('columns sort both ways and show which', async (t) => {
  const page = await open(t, '#functions');
  await page.locator('.functions-table tbody th').first().waitFor();
  await pause(page);
  // Rows keep their order for a moment, so the largest need not be the first.
  const widths = await page.locator('.functions-table tbody td.col-selfShare .share-fill').evaluateAll((list) => list.map(({ style }) => style.width));
  assert.ok(widths.includes('100%'), `the largest share fills its bar: ${widths}`);
  const column = async (name) =>
    await page.locator(`.functions-table tbody tr:not(.spacer):not([hidden]) .col-${name}`).allInnerTexts();
  const head = (name) => page.locator(`.functions-table thead .col-${name}`);
  await head('calls').locator('button').click();
  await eventually(async () => assert.equal(await head('calls').getAttribute('aria-sort'), 'descending'));
  const numbers = async () => (await column('calls')).map((cell) => Number(cell.replaceAll(',', '')));
  await eventually(async () =>
    assert.deepEqual(
      await numbers(),
      (await numbers()).sort((a, b) => b - a),
    ),
  );
  await head('calls').locator('button').click();
  await eventually(async () => assert.equal(await head('calls').getAttribute('aria-sort'), 'ascending'));
  await eventually(async () =>
    assert.deepEqual(
      await numbers(),
      (await numbers()).sort((a, b) => a - b),
    ),
  );
  await head('name').locator('button').click();
  // Texts may be shortened.
  const byName = () => page.locator('.functions-table tbody tr:not(.spacer):not([hidden]) th button').evaluateAll((list) => list.map(({ title }) => title.toLowerCase()));
  await eventually(async () => assert.deepEqual(await byName(), (await byName()).sort()));
  quiet();
});

testOfAll('the pressed row is chosen, even if rows have moved when the button is released', async (t) => {
  const page = await open(t, '#functions?sort=name&rising=1');
  const first = page.locator('.functions-table tbody tr:not(.spacer)').first().locator('th button');
  await first.waitFor();
  const name = await rowName(first);
  await first.hover();
  await page.mouse.down();
  await page.keyboard.press('v');
  await eventually(async () => assert.notEqual(await rowName(first), name));
  await page.mouse.up();
  await page.locator('.sandwich-name', { hasText: name }).waitFor();
  // Released elsewhere, the mouse chooses nothing.
  await page.keyboard.press('Escape');
  await page.locator('.sandwich-name').waitFor({ state: 'hidden' });
  await first.hover();
  await page.mouse.down();
  await page.locator('.functions-table tbody tr:not(.spacer)').nth(4).hover();
  await page.mouse.up();
  assert.equal(await page.locator('.sandwich-name').isVisible(), false);
  quiet();
});

testOfAll('a row opens the sandwich: callers, callees, durations; they lead on', async (t) => {
  const { functions, call_tree: tree } = await snapshot();
  const callersOf = (id) =>
    new Set(
      tree.function.flatMap((fn, row) =>
        fn === id && row > 0 && tree.function[tree.parent[row]] >= 0 ? [tree.function[tree.parent[row]]] : [],
      ),
    );
  const calleesOf = (id) =>
    new Set(
      tree.function.flatMap((fn, row) => (row > 0 && tree.function[tree.parent[row]] === id ? [fn] : [])),
    );
  const { id, name } = functions.find(
    (fn) => /^\w+$/.test(fn.name) && fn.calls > 1 && callersOf(fn.id).size > 0 && calleesOf(fn.id).size > 0,
  );
  const page = await open(t, `#functions?search=${encodeURIComponent(`/^${name}$/`)}`);
  await page.locator('.functions-table tbody th button', { hasText: name }).click();
  await page.locator('.sandwich-name', { hasText: name }).waitFor();
  const edges = (nth) =>
    page.locator('.edge-part').nth(nth).locator('li:not([hidden]) .edge-name').allInnerTexts();
  await eventually(async () => assert.ok((await edges(0)).length > 0));
  // Callees of a running caller are moved in the tree when it returns: they are left out.
  const names = (ids) => [...ids].map((fn) => functions[fn].name).filter((one) => !one.startsWith('[')).sort();
  for (const expected of names(callersOf(id))) assert.ok((await edges(0)).includes(expected), expected);
  for (const expected of names(calleesOf(id))) assert.ok((await edges(1)).includes(expected), expected);
  await eventually(async () =>
    assert.match(await page.locator('.histogram-plot').getAttribute('aria-label'), /half of the calls/),
  );
  const caller = (await edges(0))[0];
  await page.locator('.edge-part').first().locator('button').first().click();
  await eventually(async () => assert.equal(await text(page, '.sandwich-name'), caller));
  await page.goBack();
  await eventually(async () => assert.equal(await text(page, '.sandwich-name'), name));
  quiet();
});

testOfAll('spare width of a wide window goes to the names, and Source keeps its place', async (t) => {
  const page = await open(t, '#functions', { size: { width: 1920, height: 1080 } });
  await page.locator('.functions-table tbody th').first().waitFor();
  const widths = async () => ({ name: await wide('name'), place: await wide('place') });
  const wide = async (column) => (await page.locator(`.functions-table thead .col-${column}`).boundingBox()).width;
  const large = await widths();
  assert.ok(large.name > 300 && large.name > large.place && large.place >= 120, JSON.stringify(large)); // 120 px: the least width, with the columns for stack and periods
  await page.setViewportSize({ width: 1440, height: 900 });
  const small = await widths();
  assert.ok(small.name >= 208 && small.name < large.name && small.place >= 115, JSON.stringify(small));
  quiet();
});

testOfAll('rows share the height of a window in which all of them fit, and no others grow', async (t) => {
  const { functions } = await snapshot();
  const page = await open(t, '#functions', { size: { width: 1440, height: 60 + 34 * functions.length + 200 } });
  const row = page.locator('.functions-table tbody tr:not(.spacer)').first();
  const high = async () => (await row.boundingBox()).height;
  await eventually(async () => assert.equal(await high(), 32));
  await page.setViewportSize({ width: 1440, height: 500 });
  await eventually(async () => assert.equal(await high(), functions.length > 20 ? 26 : await high()));
  quiet();
});

testOfAll('names and percentiles can be read in a narrow window', async (t) => {
  const { functions } = await snapshot();
  const { name } = functions.filter((fn) => fn.calls > 1 && /^\w{9,}$/.test(fn.name))[0];
  const page = await open(t, `#functions?fn=${name}`, { size: { width: 390, height: 844 } });
  await page.locator('.sandwich-name', { hasText: name }).waitFor();
  await page.locator('.histogram-mark:visible').first().waitFor();
  const lines = await page.locator('.sandwich-name').evaluate((one) => one.getClientRects()[0].height / 20);
  assert.ok(lines < 1.5, `${name} is on ${lines} lines`);
  const boxes = await page
    .locator('.histogram-mark:not([hidden]) > span')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  for (const [i, a] of boxes.entries())
    for (const b of boxes.slice(i + 1))
      assert.ok(
        a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 1 || b.bottom <= a.top + 1,
        JSON.stringify([a, b]),
      );
  quiet();
});

test('methods of one template can be told apart where their names are too long', needsMock, async (t) => {
  const own = await ownMock({ rounds: 30, live: false });
  const rowOf = own.program.functionRow.bind(own.program);
  const long = (id) => `control::Filter<control::Biquad<float, 4>, control::Saturation<float> >::${id === 3 ? 'update' : 'reset'}(float const&, unsigned int)`;
  own.program.functionRow = (id) => ({ ...rowOf(id), ...(id === 3 || id === 4 ? { name: long(id) } : {}) });
  const page = await open(t, '#functions?search=Biquad', { daemon: own.address, size: { width: 1440, height: 900 } });
  const names = page.locator('.functions-table tbody tr:not(.spacer):not([hidden]) th button');
  await eventually(async () => assert.deepEqual((await names.allInnerTexts()).sort(), ['control::Filter<…>::reset', 'control::Filter<…>::update']));
  for (const [shown, whole] of await names.evaluateAll((list) => list.map((one) => [one.scrollWidth, one.clientWidth]))) assert.ok(shown <= whole, 'not cut a second time');
  assert.match(await names.first().getAttribute('title'), /^control::Filter<control::Biquad<float, 4>/);
  quiet();
});

testOfAll('thousands of functions keep the table short and the page quick', needsMock, async (t) => {
  const own = await ownMock({ rounds: 200, extra: 5000 });
  const page = await open(t, '#functions', { daemon: own.address });
  await page.locator('.functions-table tbody th').first().waitFor();
  await eventually(async () => assert.match(await text(page, '.table-status'), /\d,\d{3} functions/));
  assert.ok((await page.locator('.functions-table tbody tr').count()) < 100);
  await page.evaluate(() => {
    document.querySelector('.table-scroll').scrollTop = 60000;
  });
  await eventually(async () =>
    assert.ok(
      (await page
        .locator('.functions-table tbody tr:not(.spacer):not([hidden])')
        .first()
        .getAttribute('aria-rowindex')) > 1000,
    ),
  );
  quiet();
});

testOfAll('samples without times: columns, order and bars are of samples', needsMock, async (t) => {
  const own = await ownMock({ rounds: 20, live: false });
  const whole = own.program.functionRow.bind(own.program);
  own.program.functionRow = (id) => {
    const row = whole(id);
    const times = Object.keys(row).filter((name) => name.endsWith('_ticks'));
    return { ...row, ...Object.fromEntries(times.map((name) => [name, null])), samples: 10 * id };
  };
  own.samples = { hz: 1000, total: 5 * own.program.functions.length * (own.program.functions.length - 1) };
  const page = await open(t, '#functions', { daemon: own.address });
  await page.locator('.functions-table tbody th').first().waitFor();
  const heads = await page.locator('.functions-table thead th').allInnerTexts();
  assert.deepEqual(
    heads.map((head) => head.replace(/ ▾$/, '')),
    ['Function', 'Samples', 'Samples %', 'Calls', 'Source'],
  );
  assert.equal(
    await page.locator('.functions-table thead .col-samples').getAttribute('aria-sort'),
    'descending',
  );
  const { functions } = await snapshot(own.address);
  const most = functions.filter((fn) => fn.calls > 0).at(-1);
  const first = page.locator('.functions-table tbody tr:not(.spacer)').first();
  await eventually(async () => assert.equal(await first.locator('th').innerText(), most.name));
  await eventually(async () => assert.equal(await first.locator('.col-samples').innerText(), String(most.samples)));
  await first.click();
  await eventually(async () =>
    assert.deepEqual(await page.locator('.stats > div:not([hidden]) dt').allInnerTexts(), [
      'Samples',
      'Calls',
    ]),
  );
  await page.keyboard.press('v');
  await eventually(async () =>
    assert.equal(
      await page.locator('.functions-table thead .col-samples').getAttribute('aria-sort'),
      'ascending',
    ),
  );
  quiet();
});

testOfAll('the hottest functions are functions, never placeholders of running callers', async (t) => {
  const page = await open(t, '#flame');
  await page.locator('.hot-list li:not([hidden])').first().waitFor();
  const { functions } = await snapshot();
  const running = new Set(functions.filter(({ kind }) => kind === 'running').map(({ name }) => name));
  assert.ok(running.size > 0);
  const names = await page.locator('.hot-list .hot-name').allInnerTexts();
  assert.deepEqual(
    names.filter((name) => running.has(name)),
    [],
  );
  quiet();
});

testOfAll('the longest call and the bars of the histogram lead to a call on the timeline', needsMock, async (t) => {
  const own = await ownMock({ rounds: 20, live: false });
  const { functions } = await snapshot(own.address);
  const { name, id } = functions.filter((fn) => fn.calls > 20 && /^\w+$/.test(fn.name))[0];
  const detail = own.program.functionDetail(id);
  const page = await open(t, `#functions?fn=${name}`, { daemon: own.address });
  const { context, depth, start } = detail.longest[0];
  await page.locator('.stats button:not([disabled])').click();
  await eventually(async () => assert.match(page.url(), new RegExp(`#timeline.*call=${context}-${depth}-${start}`)));
  await eventually(async () => assert.equal(await text(page, '.timeline .detail-name'), name));
  await page.goBack();
  await page.getByRole('button', { name: 'Linear' }).click();
  await page.locator('.histogram-bar:not([disabled]):not([hidden])').first().click();
  await eventually(async () => assert.match(page.url(), /#timeline.*call=\d+-\d+-\d+/));
  await eventually(async () => assert.equal(await text(page, '.timeline .detail-name'), name));
  quiet();
});

testOfAll('the bars of periods lead to the call that began one, on either axis', needsMock, async (t) => {
  const own = await ownMock({ rounds: 20, live: false });
  const { functions } = await snapshot(own.address);
  const { name } = functions.filter((fn) => fn.calls > 20 && /^\w+$/.test(fn.name))[0];
  const page = await open(t, `#functions?fn=${name}`, { daemon: own.address });
  const plot = page.locator('.histogram-plot');
  await page.getByRole('button', { name: 'Period', exact: true }).click();
  await eventually(async () => assert.match(await plot.getAttribute('aria-label'), /^Periods from .*half of the periods are/));
  assert.match(await text(page, '.histogram .edges-none'), /calls available: every .*jitter/);
  await page.getByRole('button', { name: 'Linear' }).click();
  await page.locator('.histogram-bar:not([disabled]):not([hidden])').first().click();
  await eventually(async () => assert.match(page.url(), /#timeline.*call=\d+-\d+-\d+/));
  await eventually(async () => assert.equal(await text(page, '.timeline .detail-name'), name));
  await page.goBack();
  // The first of the list is among the longest periods, and its link shows all of it.
  const { id } = functions.find((fn) => fn.name === name);
  const { examples } = await ask(`functions/${id}/periods`, own.address);
  const { start, period } = examples.findLast(Boolean);
  const { target } = await snapshot(own.address);
  await eventually(async () => assert.equal(await page.locator('.longest-calls li').first().innerText(), 'Among the longest'));
  const long = page.locator('.longest-calls button').first();
  assert.ok((await long.innerText()).startsWith(`${duration(period, target.ticks_per_second)} at `));
  await long.click();
  await eventually(async () => {
    const [from, to] = /at=(\d+)-(\d+)/.exec(page.url()).slice(1).map(Number);
    assert.ok(from <= start && to >= start + period, page.url());
  });
  await page.goBack();
  await page.locator('.overtime-plot').waitFor(); // what is hidden takes no focus
  await page.locator('.overtime-plot').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  await eventually(async () => assert.match(page.url(), /#timeline.*at=\d+-\d+/));
  assert.doesNotMatch(page.url(), /call=/);
  await page.goBack();
  await page.getByRole('button', { name: 'Duration', exact: true }).click();
  await eventually(async () => assert.match(await plot.getAttribute('aria-label'), /^Durations from .*half of the calls took/));
  assert.equal(await page.locator('.histogram .edges-none').isVisible(), false);
  quiet();
});

test('a function over time can be walked with the keys, and leads to a call on the timeline', needsMock, async (t) => {
  const own = await ownMock({ rounds: 20, live: false });
  const { functions } = await snapshot(own.address);
  const { name } = functions.filter((fn) => fn.calls > 20 && /^\w+$/.test(fn.name))[0];
  const page = await open(t, `#functions?fn=${name}`, { daemon: own.address });
  const plot = page.locator('.overtime-plot');
  await plot.waitFor();
  await plot.focus();
  await plot.press('Home');
  await eventually(async () => assert.match(await text(page, '.overtime-said'), /: \d+ calls? \(.*\/s\)/));
  const first = await text(page, '.overtime-said');
  await plot.press('ArrowRight');
  await eventually(async () => assert.notEqual(await text(page, '.overtime-said'), first));
  await plot.press('Enter');
  await eventually(async () => assert.match(page.url(), /#timeline.*call=\d+-\d+-\d+/));
  await eventually(async () => assert.equal(await text(page, '.timeline .detail-name'), name));
  quiet();
});

test('the last cycles of a periodic function match a count over its calls, and the longest leads to its call', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, live: false });
  const rowOf = own.program.functionRow.bind(own.program);
  const { list } = own.program.timed;
  own.program.functionRow = (id) => ({ ...rowOf(id), period_mean_ticks: periodsOf(list, id).mean_ticks });
  const { functions } = await snapshot(own.address);
  const isFlat = (id) => new Set(list.filter(({ fn }) => fn === id).map(({ depth }) => depth)).size === 1; // it never calls itself
  const { id, name } = functions.filter((fn) => fn.calls >= 50 && /^\w+$/.test(fn.name) && isFlat(fn.id))[0];
  const page = await open(t, `#functions?fn=${name}`, { daemon: own.address });
  const plot = page.locator('.cycle-plot');
  await plot.waitFor();
  const { rows } = await ask('timeline?max=100000', own.address);
  const all = rows.start.map((start, i) => ({ start, fn: rows.function[i], duration: rows.duration[i], depth: rows.depth[i], context: rows.context[i] }));
  const calls = all.filter(({ fn }) => fn === id).sort((a, b) => a.start - b.start).slice(-50);
  const told = await text(page, '.cycles .part-title');
  assert.equal(told, `Last ${calls.length} cycles`);
  const longest = calls.reduce((most, one) => (one.duration > most.duration ? one : most));
  const inside = (one) => calls.some(({ start, duration, depth, context }) => one.context === context && one.start >= start && one.start < start + Math.max(duration, 1) && one.depth >= depth && one.depth <= depth + 1);
  const names = new Set(all.filter(inside).map(({ fn }) => functions[fn].name));
  const shown = new Set(await page.locator('.cycle-names .link').allInnerTexts());
  for (const one of names) assert.ok(shown.has(one), one);
  await page.locator('.cycles .overtime-said .link').click();
  await eventually(async () => assert.match(page.url(), new RegExp(`#timeline.*call=\\d+-\\d+-${longest.start}\\b`)));
  quiet();
});

testOfAll('the axis of the plot over time has the same origin as all other times', needsMock, async (t) => {
  const own = await ownMock({ rounds: 20, live: false });
  const { functions } = await snapshot(own.address);
  const { name } = functions.filter((fn) => fn.calls > 20 && /^\w+$/.test(fn.name))[0];
  const { newest } = own.program.timed;
  const page = await open(t, `#functions?fn=${name}&zero=${newest + 1}`, { daemon: own.address });
  const axis = page.locator('.overtime .histogram-axis');
  await axis.waitFor();
  await eventually(async () => assert.match(await axis.innerText(), /^-.*s/));
  await show(page, `#functions?fn=${name}`);
  await eventually(async () => assert.match(await axis.innerText(), /^0(\.0+)? m?s/));
  quiet();
});

test('corrected times are marked, and one press shows the measured ones', async (t) => {
  const own = await ownMock({ rounds: 20, live: false });
  own.set({ target: { description } });
  const page = await open(t, '#functions', { daemon: own.address });
  const cells = page.locator('.functions-table tbody tr:not(.spacer):not([data-placeholder]):not([hidden]) td.col-self');
  const press = page.getByRole('button', { name: '≈ Corrected' });
  await press.waitFor();
  assert.ok((await cells.allInnerTexts()).every((cell) => !cell.includes('≈')));
  await press.click();
  await eventually(async () => {
    assert.equal(await press.getAttribute('aria-pressed'), 'true');
    const texts = await cells.allInnerTexts();
    assert.ok(texts.length > 3 && texts.every((cell) => cell.startsWith('≈ ')), texts.join());
    assert.match(page.url(), /corrected=1/);
  });
  assert.match(await text(page, '.functions-note'), /^Measuring adds 348 ns \(5\d(\.\d)? ticks\) to a call/);
  await page.keyboard.press('c');
  await eventually(async () => assert.ok((await cells.allInnerTexts()).every((cell) => !cell.includes('≈'))));
  quiet();
});

testOfAll('Flame graph highlights exactly the function, not longer names, and Enter goes through its frames', async (t) => {
  const { functions, call_tree: tree } = await snapshot();
  const places = (id) => tree.function.filter((fn, row) => row > 0 && fn === id).length;
  const named = functions.filter(({ name, calls }) => calls > 0 && /^\w+$/.test(name));
  const fn = named.find(({ id }) => places(id) > 1);
  const page = await open(t, `#functions?fn=${fn.name}`);
  await page.getByText(/^Called by \(\d+\)/).waitFor(); // the callers are shown: the card no longer moves
  await page.getByRole('button', { name: 'Flame graph', exact: true }).click();
  await eventually(async () => assert.match(await text(page, '#search-result'), /· 1 function$/));
  await pause(page);
  await page.mouse.move(640, 300); // over the graph: the pointer must not hide what keys choose
  const zooms = new Set();
  await page.locator('#search-text').focus();
  await eventually(async () => {
    await page.locator('#search-text').press('Enter');
    assert.equal(await text(page, '.flame .detail-name'), fn.name);
    zooms.add(await text(page, '.flame .detail-figures'));
    assert.ok(zooms.size > 1);
  });
  quiet();
});

testOfAll('on a narrow screen the column that rows are sorted by is visible, beside the names', async (t) => {
  const page = await open(t, '#functions?sort=max', { size: { width: 390, height: 844 } });
  const head = page.locator('.functions-table th[aria-sort]');
  await head.waitFor({ state: 'attached' });
  const isInSight = async () => {
    const [box, names] = [await head.boundingBox(), await page.locator('.functions-table thead .key').boundingBox()];
    assert.ok(names.x >= 0 && box.x >= names.x + names.width - 1 && box.x + box.width <= 391, `${box.x} … ${box.x + box.width}`);
  };
  await eventually(isInSight);
  await page.keyboard.press('>');
  await eventually(async () => assert.match(await hash(page), /sort=(?!max)/));
  await eventually(isInSight);
  quiet();
});

test('a name of 10,000 letters leaves room for the rest, in card, menu and tooltips, and can be shown whole', needsMock, async (t) => {
  const own = await ownMock({ rounds: 20, live: false });
  const long = `handler_${'x'.repeat(10000)}_of_uart`;
  const [{ name: hottest }] = [...own.program.functions].sort((a, b) => b.self_ticks - a.self_ticks);
  own.program.functions.find(({ name }) => name === hottest).name = long;
  const page = await open(t, '#functions?search=handler_xx', { daemon: own.address, size: { width: 1280, height: 800 } });
  const row = page.locator('.functions-table tbody tr:not(.spacer):not([hidden]) .key button').first();
  await row.click();
  const name = page.locator('.sandwich-name');
  await name.waitFor();
  const shown = await name.innerText();
  assert.ok(shown.length < 300 && shown.endsWith('_of_uart'), shown);
  assert.ok((await name.boundingBox()).height < 150);
  for (const tip of await page.locator('[title]').evaluateAll((list) => list.map(({ title }) => title))) assert.ok(tip.length < 1200, tip);
  await page.getByRole('button', { name: 'All 10,016 letters' }).click();
  assert.equal(await name.innerText(), long);
  assert.ok((await name.boundingBox()).height < 400, 'it scrolls');
  assert.deepEqual(await violations(page), []);
  await page.evaluate(() => Object.defineProperty(navigator.clipboard, 'writeText', { value: async (words) => (window.copied = words) }));
  await page.keyboard.press('y');
  await page.locator('.toast', { hasText: 'Name copied' }).waitFor();
  assert.equal(await page.evaluate(() => window.copied), long);
  await page.goto(`${own.address}#flame`);
  await page.locator('.hot-list li:not([hidden]) button').first().click();
  await page.locator('.flame-scroll canvas').focus();
  await page.keyboard.press('Shift+F10');
  const heading = page.locator('.menu-title');
  assert.match(await heading.innerText(), /^handler_x+…x+_of_uart$/);
  const title = await heading.boundingBox();
  assert.ok(title.height < 120, 'what can be done is visible');
  quiet();
});

test('callers and callees are trees, opened by keys and by mouse; of a long one only visible rows exist', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, live: false });
  const evil = '</ul><img src=x onerror=alert(1)>';
  own.program.functions.find(({ name }) => name === 'mqtt_process').name = evil;
  const { functions, call_tree: tree } = await snapshot(own.address);
  const [fn, caller, above] = ['tcp_output', 'mqtt_publish', evil].map((name) => functions.find((one) => one.name === name));
  const calls = tree.calls.filter((_, row) => {
    const up = tree.parent[row];
    return tree.function[row] === fn.id && tree.function[up] === caller.id && tree.function[tree.parent[up]] === above.id;
  });
  const page = await open(t, '#functions?fn=tcp_output', { daemon: own.address });
  const callers = page.getByRole('tree', { name: 'Called by' });
  const item = (name) => callers.getByRole('treeitem').filter({ hasText: name });
  await item(caller.name).locator('.edge-turn').click();
  await item(evil).waitFor();
  assert.equal(await item(evil).getAttribute('aria-level'), '2');
  assert.equal(await item(evil).locator('.edge-calls').innerText(), `${calls.reduce((sum, one) => sum + one, 0)} ×`);
  assert.deepEqual(await violations(page), []);
  // By keys: opens everything from the first row on.
  await callers.focus();
  await page.keyboard.press('Home');
  const active = () => callers.evaluate((list) => document.getElementById(list.getAttribute('aria-activedescendant'))?.querySelector('.edge-name').textContent);
  const first = await active();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await eventually(async () => assert.notEqual(await active(), first));
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await eventually(async () => assert.equal(await active(), first));
  await page.keyboard.press('ArrowLeft');
  await eventually(async () => assert.equal(await callers.getByRole('treeitem').first().getAttribute('aria-expanded'), 'false'));
  await page.goto(`${own.address}#functions?fn=memcpy`);
  await page.locator('.sandwich-name', { hasText: 'memcpy' }).waitFor();
  await eventually(async () => assert.ok((await callers.getByRole('treeitem').count()) > 1));
  await callers.focus();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
  }
  const rows = () => callers.evaluate((list) => list.scrollHeight / 25);
  await eventually(async () => assert.ok((await rows()) > 20));
  assert.ok((await callers.locator('li:not([hidden])').count()) <= 14);
  await eventually(async () => assert.notEqual(await active(), undefined)); // it is visible
  assert.equal(await hash(page), '#functions?fn=memcpy', 'the table beside did not move');
  await page.keyboard.press('Home');
  const last = await active();
  await page.keyboard.press('Enter');
  await eventually(async () => assert.equal(await text(page, '.sandwich-name'), last));
  assert.equal(await callers.locator('li:not([hidden])[aria-expanded="true"]').count(), 0, 'another function begins closed');
  quiet();
});

testOfAll('above the rows there are at most 110 pixels, also where times can be corrected', needsMock, async (t) => {
  const page = await open(t, '#functions?corrected=1', { size: { width: 1440, height: 900 } });
  const row = page.locator('.functions-table tbody tr:not(.spacer)').first();
  await row.waitFor();
  await page.getByRole('button', { name: '≈ Corrected' }).waitFor();
  const { y } = await row.boundingBox();
  assert.ok(y <= 110, `${y} px`);
  const cut = await page.locator('.functions-table tbody td.number').evaluateAll((list) => list.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent));
  assert.deepEqual(cut, []);
  quiet();
});

testOfAll('a row of callers is one line, however small its share', needsMock, async (t) => {
  const own = await ownMock({ rounds: 30, live: false });
  const page = await open(t, '#functions?fn=spi_transfer', { daemon: own.address, size: { width: 1440, height: 900 } });
  const row = page.locator('.edges li:not([hidden])').first();
  await row.waitFor();
  const high = await row.evaluate((item) => {
    const parts = ['.edge-time', '.edge-share'].map((part) => item.querySelector(part));
    ['42 min 31 s', '< 0.01 %'].forEach((text, i) => (parts[i].textContent = text));
    return parts.map((part) => [part.offsetHeight, part.scrollWidth - part.clientWidth]);
  });
  for (const [px, over] of high) assert.ok(px <= 20 && over <= 0, `${px} px high, ${over} too wide`);
  quiet();
});

/** Returns the number of headings, the columns of those in view, and the texts of headings and numbers that are cut off. */
const headings = (page) =>
  page.locator('.functions .table-scroll').evaluate((box) => {
    const { left, right } = box.getBoundingClientRect();
    const isIn = (cell) => cell.offsetWidth > 0 && cell.getBoundingClientRect().left >= left - 1 && cell.getBoundingClientRect().right <= right + 1;
    const cut = [...box.querySelectorAll('th > button, td.number')].filter((cell) => cell.offsetWidth > 0 && !cell.closest('.col-name') && cell.scrollWidth > cell.clientWidth);
    const there = [...box.querySelectorAll('thead th')].filter((cell) => cell.offsetWidth > 0);
    return { there: there.length, shown: there.filter(isIn).map((cell) => cell.className.split(' ')[0].slice(4)), cut: cut.map((cell) => cell.textContent) };
  });

testOfAll('on a phone the sorted column is visible, also without source lines', needsMock, async (t) => {
  const own = await ownMock({ rounds: 30, live: false });
  const rowOf = own.program.functionRow.bind(own.program);
  own.program.functionRow = (id) => ({ ...rowOf(id), file: null });
  const page = await open(t, '#functions', { daemon: own.address, size: { width: 390, height: 844 } });
  await page.locator('.functions-table tbody th').first().waitFor();
  for (const width of [390, 400, 410]) {
    await page.setViewportSize({ width, height: 844 });
    await eventually(async () => assert.ok((await headings(page)).shown.includes('self'), `${width}`));
  }
  quiet();
});

testOfAll('numbers have the width they need, other columns are one press away, and the sorted column is visible', needsMock, async (t) => {
  const own = await ownMock({ rounds: 30, live: false });
  const rowOf = own.program.functionRow.bind(own.program);
  const hours = 25 * 3600 * own.target.ticks_per_second;
  own.program.functionRow = (id) => ({
    ...rowOf(id),
    ...(id > 0 ? { calls: 123456789, total_ticks: hours, self_ticks: Math.round(hours / 40), frame_bytes: 96, stack_bytes: 1204, stack_unknown: 0 } : {}),
    ...(id > 0 ? { period_mean_ticks: 999000, period_jitter_ticks: 45000, period_min_ticks: 1, period_max_ticks: 1e6, periods: 9 } : {}),
  });
  const page = await open(t, '#functions', { daemon: own.address, size: { width: 1440, height: 900 } });
  await page.locator('.functions-table tbody th').first().waitFor();
  await eventually(async () => {
    const { there, shown, cut } = await headings(page);
    assert.deepEqual(cut, []);
    assert.equal(there, 17, 'all columns are there');
    assert.ok(shown.includes('self') && !shown.includes('period_mean'), shown.join());
  });
  const beyond = page.locator('.functions .beyond');
  assert.equal(await beyond.innerText(), 'Period, Jitter, Source ▸');
  assert.deepEqual(await violations(page), []);
  await beyond.click();
  await eventually(async () => {
    const { shown } = await headings(page);
    for (const id of ['name', 'period_mean', 'period_jitter', 'place']) assert.ok(shown.includes(id), `${id} of ${shown}`);
  });
  await beyond.waitFor({ state: 'hidden' });
  await page.locator('.functions .table-scroll').evaluate((box) => box.scrollBy(-60, 0));
  await beyond.filter({ hasText: /^Source ▸$/ }).waitFor();
  for (const [width, rest] of [[1440, ''], [1920, '&fn=spi_transfer'], [1440, '&fn=spi_transfer'], [1920, '']]) {
    await page.setViewportSize({ width, height: 900 });
    await show(page, `#functions?sort=period_jitter${rest}`);
    await eventually(async () => {
      const { shown, cut } = await headings(page);
      assert.ok(shown.includes('period_jitter'), `${width}${rest}: ${shown}`);
      assert.deepEqual(cut, []);
    });
  }
  await eventually(async () => assert.ok((await headings(page)).shown.includes('place')));
  quiet();
});

testOfAll('a missing function of a link is named, and shown once it is called', needsMock, async (t) => {
  const own = await ownMock({ rounds: 40, live: false });
  const late = '<b>late</b>';
  const turnUp = (id) => {
    own.program.functions[id].name = late;
    own.program.changedFunctions.add(id);
    own.publish();
  };
  const page = await open(t, `#functions?fn=${encodeURIComponent(late)}`, { daemon: own.address });
  const notice = page.locator('.notice[data-id="absent"]');
  await notice.filter({ hasText: `There is no function “${late}” yet.` }).waitFor();
  turnUp(3);
  await page.locator('.sandwich-name', { hasText: late }).waitFor();
  await notice.waitFor({ state: 'detached' });
  await show(page, '#flame?zoom=nosuch');
  await notice.filter({ hasText: 'There is no function “nosuch” yet.' }).waitFor();
  await show(page, '#flame');
  await notice.waitFor({ state: 'detached' });
  quiet();
});
