// graph.test.mjs - the call graph: boxes, arrows, and the keys that follow arrows.

import assert from 'node:assert/strict';

import {
  eventually,
  hash,
  needsMock,
  open,
  ownMock,
  pause,
  quiet,
  show,
  snapshot,
  test,
  testOfAll,
  text,
  violations,
  violationsInBothThemes,
} from './support.mjs';

const boxes = (page) => page.locator('.graph-box');
const labels = (page) => boxes(page).evaluateAll((list) => list.map((box) => box.getAttribute('aria-label')));
const centre = (page) => page.locator('.graph-box[data-centre]').getAttribute('aria-label');
const focused = (page) => page.evaluate(() => document.activeElement.getAttribute('aria-label') ?? '');

/** Returns the calls between each two functions, summed from the snapshot's tree: "caller callee" -> calls. */
function edges({ call_tree: tree }) {
  const sums = new Map();
  tree.function.forEach((fn, row) => {
    const caller = row > 0 ? tree.function[tree.parent[row]] : -1;
    if (row === 0 || caller < 0 || !(tree.calls[row] > 0)) return;
    const key = `${caller} ${fn}`;
    sums.set(key, (sums.get(key) ?? 0) + tree.calls[row]);
  });
  return sums;
}

/** Returns a function with a plain name whose callers and callees include functions that are no placeholders. */
function busy(told) {
  const named = (id) => told.functions[id].calls > 0 && told.functions[id].kind === 'function';
  const count = (id, end) =>
    [...edges(told).keys()].map((key) => key.split(' ').map(Number)).filter((pair) => {
      const other = pair[1 - end];
      return pair[end] === id && other !== id && named(other);
    }).length;
  const found = told.functions.filter(
    ({ id, name }) => /^\w+$/.test(name) && named(id) && count(id, 0) > 0 && count(id, 1) > 0,
  );
  return found.sort((a, b) => count(b.id, 0) - count(a.id, 0))[0];
}

testOfAll('in a narrow window callers stand above and callees below, and the keys go up and down', async (t) => {
  const { name } = busy(await snapshot());
  const page = await open(t, `#graph?fn=${name}&depth=1`, { size: { width: 390, height: 844 } });
  await boxes(page).first().waitFor();
  await pause(page);
  const places = await boxes(page).evaluateAll((list) =>
    list.map((box) => {
      const { top, left, right } = box.getBoundingClientRect();
      return { top, left, right, centre: box.hasAttribute('data-centre') };
    }),
  );
  const middle = places.find((one) => one.centre);
  assert.ok(places.some(({ top }) => top < middle.top) && places.some(({ top }) => top > middle.top));
  for (const { left, right } of places) assert.ok(left >= 0 && right <= 390, `${left} to ${right}`);
  await page.keyboard.press('ArrowDown'); // the first key selects the centre
  await eventually(async () => assert.equal(await focused(page), await centre(page)));
  const top = () => page.evaluate(() => document.activeElement.getBoundingClientRect().top);
  const before = await top();
  await page.keyboard.press('ArrowDown');
  await eventually(async () => assert.ok((await top()) > before, 'to a callee'));
  assert.deepEqual(await violations(page), []);
  quiet();
});

testOfAll('callers and callees of a function are boxes, with the calls that the snapshot has', async (t) => {
  const { name } = busy(await snapshot());
  const page = await open(t, `#graph?fn=${name}&depth=1`);
  await boxes(page).first().waitFor();
  await pause(page);
  const shown = await page.locator('.graph-arrow title').allTextContents();
  const told = await snapshot();
  const id = told.functions.find((fn) => fn.name === name).id;
  const sums = edges(told);
  let checked = 0;
  for (const line of shown) {
    const [ends, weight] = line.split('\n');
    const [from, to] = ends.split(' → ');
    const ids = [from, to].map((one) => told.functions.find((fn) => fn.name === one)?.id);
    // Callees of a running caller are moved in the tree when it returns: they are left out.
    if (from.startsWith('[') || ids.includes(undefined) || !ids.includes(id)) continue;
    // The view is paused while the target continues: it may show fewer calls.
    const calls = Number(/([\d,]+) calls?$/.exec(weight)[1].replaceAll(',', ''));
    assert.ok(calls > 0 && calls <= sums.get(ids.join(' ')), `${line}: ${sums.get(ids.join(' '))}`);
    checked++;
  }
  const partners = [...sums.keys()]
    .map((key) => key.split(' ').map(Number))
    .filter((ends) => ends.includes(id) && !told.functions[ends[0]].name.startsWith('['));
  assert.ok(checked >= Math.min(partners.length, 8), `${checked} of ${partners.length}`);
  quiet();
});

testOfAll('figures are those of the snapshot', needsMock, async (t) => {
  const own = await ownMock({ rounds: 50, live: false });
  const page = await open(t, '#graph?fn=tcp_output&depth=1', { daemon: own.address });
  await boxes(page).first().waitFor();
  const told = await snapshot(own.address);
  const sums = edges(told);
  const id = told.functions.find((fn) => fn.name === 'tcp_output').id;
  const shown = new Map(
    (await page.locator('.graph-arrow title').allTextContents()).map((line) => line.split('\n')),
  );
  for (const [key, calls] of sums) {
    const ids = key.split(' ').map(Number);
    if (!ids.includes(id)) continue;
    const words = shown.get(ids.map((one) => told.functions[one].name).join(' → '));
    assert.equal(/([\d,]+) calls?$/.exec(words)[1].replaceAll(',', ''), String(calls), words);
  }
  const all = told.functions.reduce((sum, fn) => sum + fn.self_ticks, 0);
  const { total_ticks: total, self_ticks: self, calls } = told.functions[id];
  const [, totalShown, selfShown, callsShown] = /total ([\d.]+) %, self ([\d.]+) %, ([\d,]+) calls/.exec(await centre(page));
  assert.ok(Math.abs(totalShown - (100 * total) / all) < 0.06);
  assert.ok(Math.abs(selfShown - (100 * self) / all) < 0.06);
  assert.equal(callsShown.replaceAll(',', ''), String(calls));
  quiet();
});

testOfAll('without a function the graph shows the whole program, and suggests the hottest', async (t) => {
  const page = await open(t, '#graph');
  await boxes(page).first().waitFor();
  await eventually(async () => {
    assert.match(await centre(page), /whole program/);
    assert.ok((await boxes(page).count()) > 1);
  });
  for (const label of await labels(page)) assert.doesNotMatch(label, /^\[/);
  const name = await page.locator('.graph-hot button').first().getAttribute('title');
  await page.locator('.graph-hot').getByTitle(name, { exact: true }).click(); // it may no longer be the first
  await eventually(async () => assert.ok((await centre(page)).startsWith(name)));
  await page.keyboard.press('Escape');
  await eventually(async () => assert.match(await centre(page), /whole program/));
  quiet();
});

test('the keyboard alone goes along arrows, changes the centre and leads to Functions', async (t) => {
  const { name } = busy(await snapshot());
  const page = await open(t, `#graph?fn=${name}`);
  await boxes(page).first().waitFor();
  await page.keyboard.press('ArrowRight');
  await eventually(async () => assert.ok((await focused(page)).startsWith(name), 'the centre first'));
  await page.keyboard.press('ArrowRight');
  const callee = await focused(page);
  assert.match(callee, /called by the centre/);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  const caller = await focused(page);
  assert.match(caller, /calls the centre/);
  await page.keyboard.press('Enter');
  await eventually(async () => assert.equal((await centre(page)).split(',')[0], caller.split(',')[0]));
  await eventually(async () => assert.equal((await focused(page)).split(',')[0], caller.split(',')[0]));
  await page.keyboard.press('d');
  await eventually(async () => assert.match(await hash(page), /depth=3/));
  await page.keyboard.press('g');
  await page.locator('.functions .sandwich-name').waitFor();
  assert.ok(caller.startsWith(await text(page, '.functions .sandwich-name')));
  await page.goBack();
  await boxes(page).first().waitFor();
  quiet();
});

testOfAll('live figures change, boxes stay where they are and keep the focus', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, live: false });
  const page = await open(t, '#graph?fn=tcp_output', { daemon: own.address });
  await boxes(page).first().waitFor();
  await page.keyboard.press('ArrowRight');
  const places = () =>
    boxes(page).evaluateAll((list) => list.map((box) => [box.querySelector('.graph-name').textContent, box.getAttribute('transform')]));
  const before = await places();
  const calls = await centre(page);
  own.program.run(30);
  own.publish();
  await eventually(async () => assert.notEqual(await centre(page), calls));
  assert.deepEqual(await places(), before);
  assert.ok((await focused(page)).startsWith('tcp_output'));
  quiet();
});

testOfAll('recursion is a loop, and a way back is drawn as one', needsMock, async (t) => {
  const own = await ownMock({ rounds: 200, live: false });
  const page = await open(t, '#graph?fn=json_parse_object&depth=1', { daemon: own.address });
  await boxes(page).first().waitFor();
  const kinds = await page.locator('.graph-arrow').evaluateAll((list) => list.map((one) => one.dataset.kind));
  assert.ok(kinds.includes('back') || kinds.includes('beside'), kinds.join());
  const box = await boxes(page).count();
  assert.equal(new Set(await labels(page)).size, box, 'each function is one box');
  quiet();
});

testOfAll('of thousands of callees the heaviest are boxes, the others share a box that can be opened', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, extra: 5000, live: false });
  const page = await open(t, '#graph?fn=app_loop&depth=1', { daemon: own.address });
  const rest = page.locator('.graph-box[data-more]');
  await rest.waitFor();
  const before = await boxes(page).count();
  assert.ok(before < 15);
  const first = Number(/^([\d,]+) more callees/.exec(await rest.getAttribute('aria-label'))[1].replaceAll(',', ''));
  await rest.focus();
  await page.keyboard.press('Enter');
  await eventually(async () => assert.equal(await boxes(page).count(), before + 20));
  const left = Number(/^([\d,]+) more/.exec(await rest.getAttribute('aria-label'))[1].replaceAll(',', ''));
  assert.equal(left, first - 20);
  await eventually(async () => assert.match(await hash(page), /more=1/));
  quiet();
});

testOfAll('the search marks boxes and leads from match to match', async (t) => {
  const { name } = busy(await snapshot());
  const page = await open(t, `#graph?fn=${name}&search=${name}`);
  await boxes(page).first().waitFor();
  await eventually(async () => assert.ok((await page.locator('.graph-box[data-hit]').count()) > 0));
  await eventually(async () => assert.match(await text(page, '#search-result'), /functions?, [1-9]\d* here/));
  await page.locator('#search-text').fill('e');
  await page.keyboard.press('Enter');
  await eventually(async () => assert.notEqual((await centre(page)).split(',')[0], name));
  quiet();
});

testOfAll('wheel and drag move the drawing, a drag opens nothing, and it can be fitted again', async (t) => {
  const { name } = busy(await snapshot());
  const page = await open(t, `#graph?fn=${name}`);
  await boxes(page).first().waitFor();
  const moved = () => page.locator('.graph-svg > g').getAttribute('transform');
  const fitted = await moved();
  const { x, y, width, height } = await page.locator('.graph-box[data-centre]').boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 90, y + height / 2 + 60, { steps: 5 });
  await page.mouse.up();
  const dragged = await moved();
  assert.notEqual(dragged, fitted);
  await eventually(async () => assert.match(await hash(page), new RegExp(`fn=${name}`)));
  await page.mouse.wheel(0, -300);
  await eventually(async () => assert.notEqual(await moved(), dragged));
  await page.keyboard.press('0');
  await eventually(async () => assert.equal(await moved(), fitted));
  await page.keyboard.press('+');
  await eventually(async () => assert.notEqual(await moved(), fitted));
  quiet();
});

testOfAll('axe-core finds nothing wrong with the graph in either theme', needsMock, async (t) => {
  const { name } = busy(await snapshot());
  const page = await open(t, `#graph?fn=${name}`);
  await boxes(page).first().waitFor();
  assert.deepEqual(await violationsInBothThemes(page), []);
  quiet();
});

testOfAll('the card of the function is at the right of the graph in a wide window; a key closes and opens it', needsMock, async (t) => {
  const page = await open(t, '#graph?fn=tcp_output', { size: { width: 1440, height: 900 } });
  const [card, centre] = [page.locator('.inspector .sandwich'), page.locator('.graph-box[data-centre]')];
  const isBeside = async () => {
    const [at, box, drawing] = [await card.boundingBox(), await centre.boundingBox(), await page.locator('.graph-svg').boundingBox()];
    assert.ok(box.x + box.width < at.x && drawing.x + drawing.width <= at.x + 1, 'the graph is fitted to what is left');
  };
  await card.getByRole('tree', { name: 'Called by' }).getByText('tcp_input').waitFor();
  await eventually(isBeside);
  await card.getByRole('tree', { name: 'Called by' }).getByText('tcp_input').click();
  await eventually(async () => assert.match(await hash(page), /^#graph\?.*fn=tcp_input/));
  assert.deepEqual(await violationsInBothThemes(page), []);
  await page.keyboard.press('Backslash');
  await card.waitFor({ state: 'hidden' });
  await eventually(async () => assert.equal(Math.round((await page.locator('.graph-svg').boundingBox()).width), 1440));
  await page.keyboard.press('Backslash');
  await eventually(isBeside);
  await page.setViewportSize({ width: 1200, height: 800 });
  await show(page, '#graph?fn=tcp_input');
  await card.waitFor({ state: 'hidden' });
  await page.keyboard.press('Backslash');
  await eventually(isBeside);
  await show(page, '#graph');
  await boxes(page).first().waitFor();
  await card.waitFor({ state: 'hidden' });
  quiet();
});
