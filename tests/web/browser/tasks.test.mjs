// tasks.test.mjs - the contexts of a target: their table, and the stretches of the timeline in which they do not run.

import assert from 'node:assert/strict';

import { cellDuration, percent } from '../../../webroot/js/model/format.js';
import { ask, eventually, hash, needsMock, open, ownMock, quiet, snapshot, testOfAll, text, violationsInBothThemes } from './support.mjs';
import { canvas, name } from './timeline.mjs';

const rows = (page) => page.locator('.tasks-table tbody tr:not(.spacer):not([hidden])');
const cells = (page, id) => rows(page).locator(`.col-${id}`).allInnerTexts();

const shown = (more = {}) => ownMock({ rounds: 30, live: false, tasks: true, ...more });

testOfAll('a narrow window has room for the text that the load is unknown', needsMock, async (t) => {
  const own = await shown();
  const contextsOf = own.program.contexts.bind(own.program);
  own.program.contexts = () => contextsOf().map((row) => ({ ...row, kind: row.kind === 'idle' ? 'thread' : row.kind }));
  const page = await open(t, '#tasks', { daemon: own.address, size: { width: 360, height: 640 } });
  await page.locator('.tasks .extent', { hasText: 'CPU load unknown: neither an idle thread nor a main loop is known' }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  quiet();
});

testOfAll('contexts are sorted by load, and the processor load is all time that is not idle', needsMock, async (t) => {
  const { address } = await shown();
  const page = await open(t, '#flame', { daemon: address });
  await page.locator('#tabs a[data-view="tasks"]').waitFor();
  await page.keyboard.press('5');
  await rows(page).first().waitFor();
  assert.equal(await hash(page), '#tasks');
  const { contexts } = await snapshot(address);
  const known = contexts.reduce((sum, row) => sum + row.running_ticks, 0);
  const byLoad = [...contexts].sort((a, b) => (a.kind === 'idle') - (b.kind === 'idle') || b.running_ticks - a.running_ticks); // idle contexts last
  assert.deepEqual(await cells(page, 'name'), byLoad.map(({ name }) => name));
  assert.deepEqual(await cells(page, 'load'), byLoad.map((row) => percent(row.running_ticks / known)));
  const idle = contexts.find(({ kind }) => kind === 'idle').running_ticks / known;
  assert.equal(await text(page, '.tasks .extent'), `CPU load ${percent(1 - idle)} over all`);
  await page.locator('.tasks-table thead .col-blocked button').click();
  await eventually(async () => assert.match(await hash(page), /sort=blocked/));
  await page.reload();
  await eventually(async () =>
    assert.equal(await page.locator('.tasks-table thead .col-blocked').getAttribute('aria-sort'), 'descending'),
  );
  await page.keyboard.press('/');
  await page.keyboard.type('interrupt');
  await eventually(async () => assert.deepEqual(await cells(page, 'name'), ['exceptions']));
  quiet();
});

testOfAll('the present load is shown after a second of data, and is that of the last second', needsMock, async (t) => {
  const { address } = await shown({ live: true });
  const page = await open(t, '#tasks', { daemon: address });
  await page.locator('.tasks-table thead .col-now').waitFor();
  await eventually(async () => assert.match(await text(page, '.tasks .extent'), /% now · .*% over all/));
  const now = (await cells(page, 'now')).map((cell) => Number.parseFloat(cell));
  const sum = now.reduce((all, one) => all + one, 0);
  assert.ok(Math.abs(sum - 100) < 1, `${now}`);
  quiet();
});

testOfAll('for a range it shows the contexts that ran in it', needsMock, async (t) => {
  const { address } = await shown();
  const { oldest, newest } = await ask('timeline?max=1', address);
  const [from, to] = [Math.round((2 * oldest + newest) / 3), Math.round((oldest + newest) / 2)];
  const page = await open(t, `#tasks?range=${from}-${to}`, { daemon: address });
  await eventually(async () => assert.match(await text(page, '.tasks .extent'), /^CPU load \d.* % in this range$/));
  assert.ok(await page.locator('.tasks-note').isHidden());
  const { contexts } = await ask(`snapshot?from=${from}&to=${to}`, address);
  const ran = contexts.reduce((sum, { running_ticks: ticks }) => sum + ticks, 0);
  assert.equal(ran, to - from);
  const shares = contexts.map(({ running_ticks: ticks }) => (100 * ticks) / ran).sort((a, b) => b - a);
  const loads = (await cells(page, 'load')).map((cell) => Number.parseFloat(cell.replace(/[<>]/, ''))).sort((a, b) => b - a);
  loads.forEach((load, i) => assert.ok(Math.abs(load - shares[i]) < 0.1, `${loads} ${shares}`));
  quiet();
});

testOfAll('for a range that is no longer held it shows figures of everything and states that; axe-core finds nothing', needsMock, async (t) => {
  const { address, program } = await shown();
  const { oldest, newest } = await ask('timeline?max=1', address);
  program.timed.gone = oldest + 1;
  const page = await open(t, `#tasks?range=${oldest}-${newest}`, { daemon: address });
  await page.locator('.tasks-note', { hasText: 'For all time' }).waitFor();
  assert.deepEqual(await violationsInBothThemes(page), []);
  quiet();
});

/** Gives all functions but one a stack frame, and main's context a deepest chain of calls. Returns that chain's functions. */
function tellStacks({ program }) {
  for (const fn of program.functions) Object.assign(fn, { frame_bytes: 8 + 8 * fn.id, stack_bytes: 1000, stack_unknown: 1 });
  Object.assign(program.functions[0], { frame_bytes: null, stack_bytes: null });
  const { parent, function: of } = program.tree;
  const pathOf = (row) => (row > 0 ? [...pathOf(parent[row]), of[row]] : []);
  const node = parent.map((_, row) => row).reduce((a, b) => (pathOf(b).length > pathOf(a).length ? b : a));
  const contexts = program.contexts.bind(program);
  program.contexts = () => contexts().map((row) => (row.id > 0 ? row : { ...row, stack_bytes: 3000, stack_unknown: 1, stack_node: node }));
  return pathOf(node).map((id) => program.functions[id]);
}

testOfAll('the deepest calls are readable in full in any window, and each leads to its card', needsMock, async (t) => {
  const own = await shown();
  const chain = tellStacks(own);
  assert.ok(chain.length > 5);
  for (const size of [{ width: 1920, height: 900 }, { width: 390, height: 844 }]) {
    const page = await open(t, '#tasks', { daemon: own.address, size });
    const links = page.locator('.tasks-chains .chain li:not([hidden]) button');
    await links.nth(chain.length - 1).waitFor();
    const words = chain.map(({ name, frame_bytes: frame }) => `${name} ${frame === null ? '?' : `${frame} B`}`);
    assert.deepEqual(await links.allInnerTexts(), words);
    const cut = await page.locator('.tasks-chains .chain').evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth || cell.scrollHeight > cell.clientHeight + 1).length);
    assert.equal(cut, 0);
    if (size.width === 1920) assert.deepEqual(await violationsInBothThemes(page), []);
    await links.nth(2).focus();
    await page.keyboard.press('Enter');
    await eventually(async () => assert.equal(await text(page, '.functions .sandwich-name'), chain[2].name));
    const frame = page.locator('.functions .stats > div:not([hidden])', { hasText: 'Frame' });
    assert.match(await frame.innerText(), new RegExp(`${chain[2].frame_bytes} B$`));
    const below = page.locator('.functions .sandwich-deep li:not([hidden]) button');
    await below.nth(1).waitFor();
    const next = (await below.nth(1).locator('.mono').innerText()).trim();
    if (size.width === 1920) assert.deepEqual(await violationsInBothThemes(page), []);
    await below.nth(1).click();
    await eventually(async () => assert.equal(await text(page, '.functions .sandwich-name'), next));
  }
  quiet();
});

testOfAll('if the target does not report which context runs, a text replaces the table', needsMock, async (t) => {
  const { address } = await shown({ tasks: false });
  const page = await open(t, '#tasks', { daemon: address });
  await page.locator('.tasks .empty', { hasText: '--mode stream' }).waitFor();
  assert.deepEqual(await violationsInBothThemes(page), []);
  quiet();
});

testOfAll('the timeline shows why a context does not run, by pointer, keys, address and legend', needsMock, async (t) => {
  const { address } = await shown();
  const { away } = await ask('timeline?max=100000', address);
  const blocked = away.kind.map((_, i) => i).filter((i) => away.kind[i] === 'blocked');
  const at = blocked[Math.floor(blocked.length / 2)];
  const [start, length] = [away.start[at], away.duration[at]];
  const page = await open(t, `#timeline?at=${start - length}-${start + 2 * length}`, { daemon: address });
  await page.locator('.lane-head').first().waitFor();
  const lanes = await canvas(page).boundingBox();
  await eventually(async () => {
    await page.mouse.move(lanes.x + lanes.width * (0.48 + 0.04 * Math.random()), lanes.y + 30);
    assert.equal(await name(page), 'Blocked');
  });
  await page.mouse.click(lanes.x + lanes.width / 2, lanes.y + 30);
  await eventually(async () => assert.match(await text(page, '#timeline-spoken'), /^Blocked, 400 µs, .*in main · thread$/));
  await eventually(async () => assert.match(await hash(page), new RegExp(`call=0-1-${start}`)));
  assert.ok(await page.getByRole('button', { name: 'Function', exact: true }).isDisabled());
  await page.mouse.move(1, 1);
  await page.reload();
  await eventually(async () => assert.equal(await name(page), 'Blocked'));
  await page.keyboard.press('ArrowLeft');
  await eventually(async () => assert.notEqual(await name(page), 'Blocked'));
  await page.keyboard.press('ArrowRight');
  await eventually(async () => assert.equal(await name(page), 'Blocked'));
  assert.match(await text(page, '.away-legend'), /preempted\s*blocked/);
  assert.deepEqual(await violationsInBothThemes(page), []);
  quiet();
});

const taskFigures = async (address) => {
  const { contexts } = await snapshot(address);
  const { tasks } = await ask('tasks', address);
  return tasks.map((task) => ({ ...task, ...contexts[task.context] }));
};

testOfAll('responses and the longest waits are those of the API, and each leads to its moment', needsMock, async (t) => {
  const { address } = await shown();
  const page = await open(t, '#tasks?sort=name&rising=1', { daemon: address, size: { width: 1440, height: 900 } });
  await rows(page).locator('.col-max button:visible').first().waitFor();
  const list = (await taskFigures(address)).filter(({ kind }) => kind !== 'idle').sort((a, b) => (a.name < b.name ? -1 : 1));
  const first = async (id) => (await cells(page, id)).map((cell) => cell.split('\n')[0].trim());
  const rate = (await snapshot(address)).target.ticks_per_second;
  const worded = (ticks) => (ticks === null ? '–' : cellDuration(ticks, rate));
  for (const [id, of] of [['min', 'min_ticks'], ['p50', 'p50_ticks'], ['p99', 'p99_ticks'], ['max', 'max_ticks']])
    assert.deepEqual((await first(id)).slice(0, list.length), list.map((task) => worded(task[of])), id);
  for (const [id, of, mark] of [['workWait', 'work_wait', ''], ['longestPreempted', 'preempted', ''], ['ready', 'ready_most', '≤ ']])
    assert.deepEqual((await first(id)).slice(0, list.length), list.map((task) => (task[of] ? mark : '') + worded(task[of]?.duration ?? null)), id);
  assert.deepEqual(await violationsInBothThemes(page), []);
  await page.getByText('Max ready ≤: at most').waitFor();
  const curve = () => page.locator('.tasks-table thead .col-curve').evaluate((head) => head.offsetWidth);
  const narrow = await curve();
  await page.setViewportSize({ width: 2560, height: 1440 });
  await eventually(async () => assert.ok((await curve()) > 3 * narrow, 'the curve has the width that the figures leave'));
  const waiting = list.findIndex((task) => task.work_wait !== null);
  await rows(page).nth(waiting).locator('.col-workWait button').click();
  const { start, duration } = list[waiting].work_wait;
  await eventually(async () => assert.match(await hash(page), new RegExp(`^#timeline.*at=${start - duration}-${start + 2 * duration}&spot=${start}`)));
  quiet();
});

testOfAll('a stack has the size that is filled in, and keeps it', needsMock, async (t) => {
  const own = await shown();
  tellStacks(own);
  const page = await open(t, '#tasks', { daemon: own.address, size: { width: 1440, height: 900 } });
  const cell = page.locator('.tasks-table td.col-stack', { hasText: '3.00 kB' });
  const size = cell.locator('input');
  assert.match(await size.getAttribute('title'), /in bytes/);
  // The columns of responses come with an answer of their own: while a size is typed they wait.
  const held = [];
  await page.route('**/api/v1/tasks*', (route) => held.push(route));
  await page.reload();
  await eventually(async () => assert.ok(held.length > 0));
  await size.fill('many');
  const answered = page.waitForResponse('**/api/v1/tasks*');
  await page.unroute('**/api/v1/tasks*');
  for (const route of held) await route.continue();
  await answered;
  await page.evaluate(() => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve), 100)));
  await size.press('Enter');
  await eventually(async () => assert.equal(await size.getAttribute('aria-invalid'), 'true'));
  await size.blur();
  await rows(page).locator('.col-max button:visible').first().waitFor();
  const [field, room] = [await size.boundingBox(), await cell.boundingBox()];
  assert.ok(field.x >= room.x && field.x + field.width <= room.x + room.width, 'the field is not cut');
  await size.fill('4 k');
  await size.press('Enter');
  await eventually(async () => assert.match(await cell.innerText(), /left, 73\.\d % used/));
  assert.match(await size.getAttribute('title'), /in bytes/);
  await page.reload();
  await eventually(async () => assert.match(await cell.innerText(), /left, 73\.\d % used/));
  assert.equal(await size.inputValue(), '4096');
  await size.fill('3,100');
  await size.press('Enter');
  await eventually(async () => assert.equal(await cell.locator('.task-why').getAttribute('data-level'), 'bad'));
  assert.deepEqual(await violationsInBothThemes(page), []);
  quiet();
});
