// browser.test.mjs - the page in a real Chromium: names, zoom, search, live numbers, pause, table, sandwich,
// themes, keys, lost connections. Runs against a mock daemon of its own, or against BASE_URL (then without
// what only the mock can do).

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { launch, missing } from './chromium.mjs';
import { startMock } from './mock-server.mjs';

const why = await missing();
if (why !== '') {
  console.log(`SKIP: ${why}`);
  process.exit(77);
}

const real = process.env.BASE_URL;
const needsMock = real ? { skip: 'needs the mock daemon, and BASE_URL is set' } : {};
const waitMs = 10000;

let mock = null;
let browser = null;
let address = '';
let troubles = []; // console errors and exceptions of all pages; each test must leave it empty

before(async () => {
  mock = real ? null : await startMock({ rounds: 60 });
  address = real ?? mock.address;
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await mock?.stop();
});

/** A page at `hash` with data shown, closed at the end of the test. */
async function open(
  t,
  hash = '',
  { theme = 'light', size = { width: 1280, height: 800 }, daemon = address, ...options } = {},
) {
  const context = await browser.newContext({ viewport: size, colorScheme: theme, ...options });
  t.after(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(waitMs);
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(error.stack));
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  await page.goto(daemon + hash);
  return page;
}

function quiet() {
  const found = troubles;
  troubles = [];
  assert.deepEqual(found, []);
}

const text = (page, selector) => page.locator(selector).first().innerText();
const snapshot = async (daemon = address) => (await fetch(`${daemon}api/v1/snapshot`)).json();
const hash = async (page) => decodeURIComponent(new URL(page.url()).hash);
const figure = (page, name) =>
  page
    .locator('.detail-figures > div', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
    .locator('dd')
    .innerText();
const ready = (page) => page.locator('.hot-list li:not([hidden])').first().waitFor();

/** Pauses the view; what is read after that belongs to one moment. */
async function pause(page) {
  await page.keyboard.press(' ');
  await page.locator('[data-id="pause"]').waitFor();
}

/** Polls until `check` holds; its last error otherwise. */
async function eventually(check) {
  const end = Date.now() + waitMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
  }
}

/** Every name in the table, read by scrolling through it. */
async function tableNames(page) {
  return page.evaluate(async () => {
    const scroller = document.querySelector('.table-scroll');
    const names = new Set();
    for (let top = 0; top <= scroller.scrollHeight; top += 200) {
      scroller.scrollTop = top;
      await new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      });
      for (const row of scroller.querySelectorAll('tbody tr:not(.spacer):not([hidden])'))
        names.add(row.querySelector('th').textContent);
    }
    scroller.scrollTop = 0;
    return [...names];
  });
}

test('the page comes with a strict policy and breaks none of it', async (t) => {
  const page = await open(t);
  const response = await page.reload();
  const policy = response.headers()['content-security-policy'];
  assert.match(policy, /default-src '(self|none)'/);
  assert.match(policy, /default-src 'none'|object-src 'none'/);
  for (const part of ["script-src 'self'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"]) {
    assert.ok(policy.includes(part), `${part} in ${policy}`);
  }
  await ready(page);
  quiet();
});

test('the first paint comes within a second', async (t) => {
  const page = await open(t);
  await ready(page);
  const paintedMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0].startTime,
  );
  assert.ok(paintedMs < 1000, `${paintedMs} ms`);
});

test('the table names exactly the functions of the snapshot', async (t) => {
  const page = await open(t, '#functions?sort=name&rising=1');
  await page.locator('.functions-table tbody th').first().waitFor();
  const { functions } = await snapshot();
  const expected = functions.filter((fn) => fn.calls > 0 || fn.total_ticks > 0).map((fn) => fn.name);
  assert.deepEqual((await tableNames(page)).sort(), [...new Set(expected)].sort());
  quiet();
});

test('a name that is markup is shown as text', needsMock, async (t) => {
  const page = await open(t, '#functions?search=onerror');
  await page.locator('.functions-table tbody th', { hasText: '<img src=x onerror=alert(1)>' }).waitFor();
  await page.locator('.functions-table tbody tr:not(.spacer)').first().click();
  await page.locator('.sandwich-name', { hasText: '<img' }).waitFor();
  await page.keyboard.press('1');
  await ready(page);
  assert.equal(await page.locator('img').count(), 1, "only the page's own sign");
  quiet();
});

test('numbers grow live', async (t) => {
  const page = await open(t, '#functions?sort=calls');
  const cell = page.locator('.functions-table tbody tr:not(.spacer) td.col-calls').first();
  await cell.waitFor();
  const number = async () => Number((await cell.innerText()).replaceAll(',', ''));
  const first = await number();
  await eventually(async () => assert.ok((await number()) > first));
  quiet();
});

test('a click zooms, the way back is in sight, Escape and 0 lead back', async (t) => {
  const page = await open(t);
  await ready(page);
  const canvas = page.locator('.flame-scroll canvas');
  await canvas.click({ position: { x: 60, y: 22 * 3 + 10 } });
  await eventually(async () => assert.match(await hash(page), /zoom=/));
  const crumbs = await page.locator('.crumbs li').count();
  assert.ok(crumbs > 1);
  await eventually(async () => assert.equal(await figure(page, 'of zoom'), '100 %'));
  await page.keyboard.press('Escape');
  await eventually(async () => assert.doesNotMatch(await hash(page), /zoom=/));
  await canvas.click({ position: { x: 60, y: 22 * 3 + 10 } });
  await page.keyboard.press('0');
  await eventually(async () => assert.equal(await page.locator('.crumbs li').count(), 1));
  await canvas.click({ position: { x: 60, y: 22 * 3 + 10 } });
  await page.locator('.crumbs button').first().click();
  await eventually(async () => assert.equal(await page.locator('.crumbs li').count(), 1));
  quiet();
});

test('zoom and selection stay while data keeps coming, and a reload comes back to them', async (t) => {
  const page = await open(t);
  await ready(page);
  await page.locator('.flame-scroll canvas').click({ position: { x: 60, y: 22 * 3 + 10 } });
  await eventually(async () => assert.match(await hash(page), /zoom=/));
  await page.mouse.move(5, 5);
  const [where, name, extent] = [
    await hash(page),
    await text(page, '.detail-name'),
    await text(page, '.extent'),
  ];
  await eventually(async () => assert.notEqual(await text(page, '.extent'), extent));
  assert.deepEqual([await hash(page), await text(page, '.detail-name')], [where, name]);
  await page.reload();
  await ready(page);
  assert.equal(await hash(page), where);
  assert.equal(await page.locator('.crumbs [aria-current]').innerText(), where.split('/').at(-1));
  quiet();
});

test('search says how much matches, lists it, and leads to frames too narrow to see', async (t) => {
  const page = await open(t);
  await ready(page);
  const { functions } = await snapshot();
  const rarest = functions
    .filter((fn) => fn.calls > 0 && /^\w+$/.test(fn.name))
    .sort((a, b) => a.total_ticks - b.total_ticks)[0].name;
  await page.keyboard.press('/');
  await page.keyboard.type(`/^${rarest}$/`);
  await eventually(async () => assert.match(await text(page, '#search-result'), /%.*1 function$/));
  assert.equal(await page.locator('.hot-list li:not([hidden])').count(), 1);
  await page.keyboard.press('Enter');
  await eventually(async () => assert.equal(await text(page, '.detail-name'), rarest));
  await eventually(async () => assert.match(await hash(page), /zoom=/));
  await page.locator('#search-text').fill('/(/');
  await page.locator('#search-text[aria-invalid="true"]').waitFor();
  await page.locator('#search-text').press('Escape');
  await eventually(async () => assert.doesNotMatch(await hash(page), /search=/));
  quiet();
});

test('hide, focus and undo change what is drawn', async (t) => {
  const page = await open(t);
  await ready(page);
  const total = () => text(page, '.extent');
  await pause(page);
  const whole = (await total()).split(' in ')[0];
  await page.locator('.flame-scroll canvas').click({ button: 'right', position: { x: 60, y: 22 * 3 + 10 } });
  await page.locator('[role="menuitem"]', { hasText: 'Hide' }).click();
  await page.locator('.chip').waitFor();
  await eventually(async () => assert.notEqual((await total()).split(' in ')[0], whole));
  await page.keyboard.press('u');
  await eventually(async () => assert.equal((await total()).split(' in ')[0], whole));
  await page.locator('.flame-scroll canvas').click({ button: 'right', position: { x: 60, y: 22 * 3 + 10 } });
  const name = await text(page, '.menu-title');
  await page.locator('[role="menuitem"]', { hasText: 'Focus' }).click();
  await page.locator('.chip', { hasText: name }).waitFor();
  await page.locator('.chip').click();
  await eventually(async () => assert.equal((await total()).split(' in ')[0], whole));
  quiet();
});

test('direction, order, width and folding are in the address and change the graph', async (t) => {
  const page = await open(t);
  await ready(page);
  const first = () => text(page, '.extent');
  const frames = (await first()).split(' · ')[1];
  await page.keyboard.press('i');
  await eventually(async () => assert.match(await hash(page), /inverted=1/));
  await eventually(async () => assert.notEqual((await first()).split(' · ')[1], frames));
  await page.keyboard.press('o');
  await page.keyboard.press('w');
  await page.keyboard.press('r');
  await eventually(async () =>
    assert.match(
      await hash(page),
      /unit=calls.*order=name.*collapse=1|unit=calls.*inverted=1.*order=name.*collapse=1/,
    ),
  );
  for (const label of ['Callers', 'A–Z', 'Calls', 'Fold recursion']) {
    assert.equal(
      await page
        .locator('.toolbar button', { hasText: new RegExp(`^${label}$`) })
        .getAttribute('aria-pressed'),
      'true',
    );
  }
  quiet();
});

test('pause freezes the view and counts what it holds; resume shows it', async (t) => {
  const page = await open(t);
  await ready(page);
  await pause(page);
  const extent = await text(page, '.extent');
  await eventually(async () =>
    assert.match(await text(page, '[data-id="pause"]'), /([3-9]|\d\d) updates held/),
  );
  assert.equal(await text(page, '.extent'), extent);
  await page.locator('[data-id="pause"] button').click();
  await eventually(async () => assert.notEqual(await text(page, '.extent'), extent));
  assert.equal(await page.locator('[data-id="pause"]').count(), 0);
  quiet();
});

test('columns sort both ways and say so', async (t) => {
  const page = await open(t, '#functions');
  await page.locator('.functions-table tbody th').first().waitFor();
  await pause(page);
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
  const byName = async () => (await column('name')).map((name) => name.toLowerCase());
  await eventually(async () => assert.deepEqual(await byName(), (await byName()).sort()));
  quiet();
});

test('a row opens the sandwich: callers, callees, durations; they lead on', async (t) => {
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
  const names = (ids) => [...ids].map((fn) => functions[fn].name).sort();
  for (const expected of names(callersOf(id))) assert.ok((await edges(0)).includes(expected), expected);
  for (const expected of names(calleesOf(id))) assert.ok((await edges(1)).includes(expected), expected);
  assert.match(await page.locator('.histogram-plot').getAttribute('aria-label'), /half of the calls/);
  const caller = (await edges(0))[0];
  await page.locator('.edge-part').first().locator('button').first().click();
  await eventually(async () => assert.equal(await text(page, '.sandwich-name'), caller));
  await page.goBack();
  await eventually(async () => assert.equal(await text(page, '.sandwich-name'), name));
  quiet();
});

test('the keyboard alone finds, zooms, opens a function and lists its keys', async (t) => {
  const page = await open(t);
  await ready(page);
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await eventually(async () => assert.match(await text(page, '#flame-spoken'), /% of all.*level 3/));
  const name = (await text(page, '#flame-spoken')).split(', ')[0];
  await eventually(async () => assert.equal(await text(page, '.detail-name'), name));
  await page.keyboard.press('Enter');
  await eventually(async () => assert.match(await hash(page), /zoom=/));
  await page.keyboard.press('g');
  await page.locator('.sandwich-name', { hasText: name }).waitFor();
  await page.keyboard.press('ArrowDown');
  await eventually(async () => assert.notEqual(await text(page, '.sandwich-name'), name));
  await page.keyboard.press('3');
  await page.locator('.link-view').waitFor();
  await page.keyboard.press('?');
  const keys = await page.locator('dialog').innerText();
  for (const label of ['Search', 'Pause', 'Theme', 'Start profiling', 'Flame', 'Functions', 'Link'])
    assert.match(keys, new RegExp(label));
  await page.keyboard.press('Escape');
  await eventually(async () => assert.equal(await page.locator('dialog').count(), 0));
  await page.keyboard.press('e');
  assert.ok((await page.locator('[role="menuitem"]').count()) > 0);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.menu').count(), 0);
  quiet();
});

test('every control can be reached by Tab and has a name', async (t) => {
  const page = await open(t);
  await ready(page);
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('button, a, input, [tabindex="0"]')]
      .filter(
        (one) =>
          one.offsetParent !== null &&
          !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length),
      )
      .map((one) => one.outerHTML),
  );
  assert.deepEqual(nameless, []);
  const reached = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    reached.add(
      await page.evaluate(
        () => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent,
      ),
    );
  }
  for (const name of ['Start', 'Stop', 'Clear', 'Pause', 'Export', 'Keys'])
    assert.ok(reached.has(name), name);
  quiet();
});

test('themes follow the system until one is chosen, and the choice is kept', async (t) => {
  const page = await open(t, '', { theme: 'dark' });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await page.emulateMedia({ colorScheme: 'light' });
  const light = await ground();
  assert.notEqual(dark, light);
  await page.keyboard.press('t');
  await page.keyboard.press('t');
  assert.equal(await ground(), dark);
  await page.reload();
  assert.equal(await ground(), dark);
  await page.keyboard.press('t');
  assert.equal(await ground(), light);
  quiet();
});

test('at 390 pixels nothing is cut off sideways in any view', async (t) => {
  for (const view of ['flame', 'functions', 'link']) {
    const page = await open(t, `#${view}`, { size: { width: 390, height: 844 }, hasTouch: true });
    await page.locator('.view:not([hidden])').waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${view} is ${wide} wide`);
    for (const id of ['connection', 'facts', 'badges', 'device', 'page', 'tabs', 'search']) {
      const box = await page.locator(`#${id}`).boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 391, `#${id} in ${view}`);
    }
  }
  quiet();
});

test('a finger selects first and zooms with the second tap', async (t) => {
  const page = await open(t, '', { size: { width: 390, height: 844 }, hasTouch: true });
  await ready(page);
  const canvas = page.locator('.flame-scroll canvas');
  await canvas.tap({ position: { x: 60, y: 60 } });
  await eventually(async () => assert.notEqual(await text(page, '.detail-name'), 'All'));
  assert.doesNotMatch(await hash(page), /zoom=/);
  await canvas.tap({ position: { x: 60, y: 60 } });
  await eventually(async () => assert.match(await hash(page), /zoom=/));
  quiet();
});

test('commands reach the device and its answer is shown as it is', needsMock, async (t) => {
  const page = await open(t);
  await ready(page);
  mock.commands.length = 0;
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.locator('.toast[data-level="ok"]', { hasText: 'ACK' }).waitFor();
  await eventually(async () => assert.equal(await text(page, '#connection-title'), 'Profiling stopped'));
  mock.refuse = { status: 504, title: 'No answer', detail: 'The device did not answer START after 3 tries.' };
  await page.keyboard.press('Shift+S');
  await page.locator('.toast[data-level="bad"]', { hasText: 'did not answer START after 3 tries' }).waitFor();
  mock.refuse = null;
  await page.keyboard.press('Shift+S');
  await eventually(async () => assert.equal(await text(page, '#connection-title'), 'Connected'));
  assert.deepEqual(mock.commands, ['stop', 'start', 'start']);
  troubles = troubles.filter((line) => !/status of 504/.test(line));
  quiet();
});

test('clear starts from nothing and says what happens next', needsMock, async (t) => {
  const page = await open(t);
  await ready(page);
  mock.live = false;
  await page.keyboard.press('Shift+C');
  await page.locator('.empty', { hasText: 'no calls yet' }).waitFor();
  mock.live = true;
  await ready(page);
  mock.program.run(60);
  quiet();
});

test('a lost device, a wrong ELF and a missing ELF are told above every view', needsMock, async (t) => {
  const page = await open(t, '#link');
  const healthy = structuredClone({ source: mock.source, target: mock.target });
  const notice = (id) => page.locator(`.notice[data-id="${id}"]`);
  mock.set({ source: { state: 'lost', detail: '/dev/ttyACM0 was unplugged' } });
  await notice('lost').filter({ hasText: 'was unplugged' }).waitFor();
  assert.ok(await page.getByRole('button', { name: 'Start' }).isDisabled());
  mock.set(healthy);
  await notice('lost').waitFor({ state: 'detached' });
  mock.set({ target: { elf_match: false } });
  await notice('elf').waitFor();
  mock.set({ ...healthy, source: { elf: null } });
  await notice('symbols').waitFor();
  mock.set(healthy);
  await notice('symbols').waitFor({ state: 'detached' });
  quiet();
});

test('when the daemon goes away the page says so and recovers by itself', needsMock, async (t) => {
  const own = await startMock({ rounds: 30 });
  const page = await open(t, '', { daemon: own.address });
  await ready(page);
  await own.stop();
  await page.locator('.notice[data-id="daemon"]').waitFor();
  const extent = await text(page, '.extent');
  await own.listen(own.port);
  t.after(() => own.stop());
  await page.locator('.notice[data-id="daemon"]').waitFor({ state: 'detached' });
  await eventually(async () => assert.notEqual(await text(page, '.extent'), extent));
  troubles = troubles.filter(
    (line) =>
      !/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/.test(line),
  );
  quiet();
});

test('a gap in the stream is closed with a fresh snapshot', needsMock, async (t) => {
  const page = await open(t);
  await ready(page);
  const asked = [];
  page.on('request', (request) => request.url().endsWith('/snapshot') && asked.push(request.url()));
  mock.sequence += 5;
  const extent = await text(page, '.extent');
  await eventually(async () => assert.ok(asked.length > 0));
  await eventually(async () => assert.notEqual(await text(page, '.extent'), extent));
  quiet();
});

test('thousands of functions keep the table short and the page quick', needsMock, async (t) => {
  const own = await startMock({ rounds: 200, extra: 5000 });
  t.after(() => own.stop());
  const page = await open(t, '#functions', { daemon: own.address });
  await page.locator('.functions-table tbody th').first().waitFor();
  assert.match(await text(page, '.table-status'), /\d,\d{3} functions/);
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
