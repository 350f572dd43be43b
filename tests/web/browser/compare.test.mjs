// compare.test.mjs - compares the current profile with a mark or a file: what is shown, rejected, and kept over a reload.

import assert from 'node:assert/strict';

import {
  chooseInView,
  eventually,
  figure,
  hash,
  mock,
  needsMock,
  open,
  ownMock,
  pause,
  paused,
  quiet,
  snapshot,
  test,
  testOfAll,
  text,
  violationsInBothThemes,
} from './support.mjs';

const side = (page, nth) => page.locator('.side').nth(nth).innerText();
const picker = (page) => page.locator('input[type="file"]').first();
const asFile = (name, content) => ({
  name,
  mimeType: 'application/json',
  buffer: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
});

/** Opens a page that compares with the daemon's snapshot, as altered by `change`. */
async function against(t, where, change = () => {}, options = {}) {
  const base = await snapshot(options.daemon);
  change(base);
  const page = await open(t, where, options);
  await page.locator('.compare-start:not([hidden])').waitFor();
  await picker(page).setInputFiles(asFile('base.json', base));
  await page.locator('.sides:not([hidden])').waitFor();
  return { page, base };
}

/** Waits until a profile can be marked. */
const marking = (page) =>
  page.locator('.compare-start button:not([disabled])', { hasText: 'Mark now' }).waitFor();

/** Returns the cells of a function's row by column id. */
const row = (page, name) =>
  page.evaluate((wanted) => {
    const rows = [...document.querySelectorAll('.changes-table tbody tr:not(.spacer):not([hidden])')];
    const found = rows.find((one) => one.querySelector('th button').title.split('\n')[0] === wanted); // the text may be shortened
    if (found === undefined) return null;
    return Object.fromEntries(
      [...found.children].map((cell) => [/col-(\w+)/.exec(cell.className)[1], cell.textContent]),
    );
  }, name);
const exact = (name) => encodeURIComponent(`/^${name.replace(/[^\w]/g, '.')}$/`);
const number = (cell) => Number(cell.replaceAll(',', ''));

/** Returns the most called function whose name is a plain identifier. */
const busy = ({ functions }) =>
  functions.filter((fn) => /^\w+$/.test(fn.name)).sort((a, b) => b.calls - a.calls)[0];

testOfAll('without a base the view explains what to do; a mark starts counting from there', async (t) => {
  const page = await open(t, '#compare');
  await page.locator('.compare-start', { hasText: 'Nothing to compare with yet' }).waitFor();
  await page.locator('.compare-start button', { hasText: 'Mark now' }).click();
  await eventually(async () => assert.match(await side(page, 0), /mark,/i));
  await eventually(async () => assert.match(await side(page, 1), /since the mark.* in [\d,]+ calls/is));
  const calls = async () => number(/in ([\d,]+) calls/.exec(await side(page, 1))[1]);
  const first = await calls();
  await eventually(async () => assert.ok((await calls()) > first));
  await chooseInView(page, 'The whole profile');
  await eventually(async () => assert.match(await side(page, 1), /current profile/i));
  await page.getByRole('button', { name: 'Pause' }).click();
  await paused(page);
  await eventually(async () => assert.match(await side(page, 1), /paused/i));
  const held = await side(page, 1);
  await eventually(async () => assert.match(await text(page, '[data-id="pause"]'), /[2-9] updates not shown/));
  assert.equal(await side(page, 1), held);
  quiet();
});

testOfAll('since a mark the table counts exactly the later calls', needsMock, async (t) => {
  const own = await ownMock({ rounds: 30, live: false });
  const where = '#compare?show=table&unit=calls&measure=total&least=0';
  const page = await open(t, where, { daemon: own.address });
  await marking(page);
  const before = await snapshot(own.address);
  await page.keyboard.press('m');
  await page.locator('.sides:not([hidden])').waitFor();
  own.program.run(7);
  own.publish();
  const after = await snapshot(own.address);
  for (const fn of after.functions.filter((one) => one.calls > 40)) {
    const had = before.functions.find(({ name }) => name === fn.name)?.calls ?? 0;
    await page.locator('#search-text').fill(`/^${fn.name.replace(/[^\w]/g, '.')}$/`);
    await eventually(async () => {
      const cells = await row(page, fn.name);
      assert.deepEqual(
        [cells?.before, cells?.after].map((cell) => number(cell ?? '')),
        [had, fn.calls - had],
        fn.name,
      );
    });
    if (fn.id > 12) break;
  }
  // Below a shallow graph there is room for the table.
  const [graph, table] = [page.locator('.compare .flame-main'), page.locator('.compare .changes-table')];
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.evaluate(() => (location.hash = '#compare?unit=calls&measure=total&least=0'));
  await eventually(async () => {
    const [above, below] = [await graph.boundingBox(), await table.boundingBox()];
    assert.ok(above !== null && below !== null && below.y >= above.y + above.height && below.height > 200);
  });
  await page.setViewportSize({ width: 1440, height: 560 });
  await table.waitFor({ state: 'hidden' });
  assert.ok(await graph.isVisible());
  quiet();
});

testOfAll('a file is compared with a file, and the current profile comes back', async (t) => {
  const { page, base } = await against(t, '#compare?show=table&unit=calls&measure=total&least=0');
  const fn = busy(base);
  base.functions[fn.id].calls += 1000;
  await page.locator('input[type="file"]').nth(1).setInputFiles(asFile('later.json', base));
  await eventually(async () => assert.match(await side(page, 1), /later\.json/));
  await page.locator('#search-text').fill(`/^${fn.name}$/`);
  await eventually(async () => {
    const cells = await row(page, fn.name);
    assert.equal(number(cells.after), number(cells.before) + 1000);
  });
  await page.getByRole('button', { name: 'Current profile' }).click();
  await eventually(async () => assert.match(await side(page, 1), /current profile/i));
  quiet();
});

testOfAll('a mark on a recording that is complete leaves no empty view', needsMock, async (t) => {
  const own = await ownMock({ rounds: 30, live: false });
  own.set({ source: { state: 'ended' } });
  const page = await open(t, '#compare', { daemon: own.address });
  await marking(page);
  await page.keyboard.press('m');
  await eventually(async () => assert.match(await text(page, '.compare-verdict'), /the recording is complete/));
  await page.locator('.compare .flame-body:not([hidden])').waitFor();
  quiet();
});

testOfAll('an opened file is shown with its name, firmware and figures, and can be swapped', async (t) => {
  const fn = busy(await snapshot());
  const where = `#compare?show=table&unit=calls&measure=total&least=0&search=${exact(fn.name)}`;
  const { page, base } = await against(t, where, (file) => {
    file.target.fw_version = 'v0.9-test';
    file.functions[fn.id].calls *= 3;
  });
  await eventually(async () => assert.match(await side(page, 0), /base\.json.*v0\.9-test/s));
  await pause(page);
  const now = async () => {
    const cells = await row(page, fn.name);
    return [number(cells.before), number(cells.after)];
  };
  // Swap uses the paused profile, not an update that was in transit when the view was paused.
  await page.getByRole('button', { name: 'Swap' }).click();
  const calls = base.functions[fn.id].calls;
  await eventually(async () => assert.equal((await now())[1], calls));
  await eventually(async () => assert.match(await side(page, 1), /base\.json/));
  const [after] = await now();
  assert.ok(after >= calls / 3 && after < calls, `${calls} → ${after}`);
  await page.getByRole('button', { name: 'Swap' }).click();
  await eventually(async () => assert.deepEqual(await now(), [calls, after]));
  await eventually(async () => assert.match(await side(page, 0), /base\.json/));
  quiet();
});

test('a slower call is marked in the table and in the graph', async (t) => {
  const fn = busy(await snapshot());
  const factor = 64; // far more than a busy machine changes the figures of a running program
  const slower = (words) => {
    const [, times] = /^×(\d+)$/.exec(words) ?? [];
    assert.ok(times > factor / 4 && times < factor * 4, words);
  };
  const where = `#compare?show=table&search=${exact(fn.name)}`;
  const { page } = await against(t, where, ({ functions, call_tree: tree }) => {
    for (const name of ['self_ticks', 'total_ticks', 'mean_ticks']) functions[fn.id][name] /= factor;
    tree.function.forEach((id, at) => {
      if (id !== fn.id) return;
      tree.self_ticks[at] /= factor;
      tree.total_ticks[at] /= factor;
    });
  });
  await eventually(async () => slower((await row(page, fn.name))?.ratio ?? ''));
  // On a busy machine one call may be so long that the differences of all others are within chance.
  const verdict = mock() ? /^The same calls take .* slower/ : /^The same calls take /;
  await eventually(async () => assert.match(await text(page, '.compare-verdict'), verdict));
  await page.keyboard.press('v');
  await page.keyboard.press('n');
  await eventually(async () => assert.equal(await text(page, '.compare .detail-name'), fn.name));
  await pause(page);
  await eventually(async () => {
    slower(await figure(page, 'Call %'));
    assert.equal(await figure(page, 'Change %'), await figure(page, 'Call %'));
  });
  await page.locator('.compare .hot-list button[data-trend="more"]', { hasText: fn.name }).waitFor();
  quiet();
});

testOfAll('vanished paths are listed, and visible with the widths of the base', async (t) => {
  const fn = busy(await snapshot());
  const { page } = await against(t, '#compare?show=table&search=vanished', ({ functions }) => {
    functions[fn.id].name = 'vanished_function';
  });
  await eventually(async () => assert.equal((await row(page, 'vanished_function'))?.ratio, 'gone'));
  await page.locator('.changes-table th button', { hasText: 'vanished_function' }).click();
  await page.locator('.toast', { hasText: 'not in the current profile' }).waitFor();
  await eventually(async () => assert.match(await hash(page), /side=before/));
  await eventually(async () => assert.equal(await text(page, '.compare .detail-name'), 'vanished_function'));
  await eventually(async () => assert.equal(await figure(page, 'Change %'), 'gone'));
  quiet();
});

test('a row leads to its function', async (t) => {
  const fn = busy(await snapshot());
  const { page } = await against(t, `#compare?show=table&least=0&search=${exact(fn.name)}`);
  await page.locator('.changes-table tbody th button', { hasText: fn.name }).click();
  await eventually(async () => assert.equal(await text(page, '.sandwich-name'), fn.name));
  await page.goBack();
  await page.locator('.changes-table').waitFor();
  quiet();
});

testOfAll('a file dropped on any view is opened and compared with', async (t) => {
  const page = await open(t, '#functions');
  await page.locator('.functions-table tbody th').first().waitFor();
  const data = await page.evaluateHandle(
    (json) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([json], 'dropped.json', { type: 'application/json' }));
      return transfer;
    },
    JSON.stringify(await snapshot()),
  );
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: data });
  await page.locator('.drop-sign:not([hidden])').waitFor();
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
  await page.locator('.drop-sign').waitFor({ state: 'hidden' });
  await eventually(async () => assert.match(await side(page, 0), /dropped\.json/));
  quiet();
});

test('a file that is no snapshot gives an error with its name, and the base stays', async (t) => {
  const { page, base } = await against(t, '#compare');
  const altered = (change) => {
    const copy = structuredClone(base);
    change(copy);
    return copy;
  };
  const bad = [
    ['notes.txt', 'main;loop 12', /“notes\.txt” is not JSON/],
    ['empty.json', '', /“empty\.json” is empty/],
    [
      'other.json',
      { $schema: 'https://www.speedscope.app/file-format-schema.json' },
      /not a snapshot of miniprofd/,
    ],
    ['later.json', altered((file) => (file.schema_version = 9)), /newer miniprofd \(schema version 9/],
    ['torn.json', altered((file) => file.call_tree.calls.pop()), /damaged.*differ in length/],
    ['loop.json', altered((file) => (file.call_tree.parent[1] = 1)), /damaged.*row 1/],
    ['<b>.json', altered((file) => (file.functions = 'none')), /“<b>\.json” is a damaged/],
  ];
  for (const [name, content, sentence] of bad) {
    await picker(page).setInputFiles(asFile(name, content));
    await eventually(async () => assert.match(await text(page, '.compare-error'), sentence));
    await eventually(async () => assert.match(await side(page, 0), /base\.json/));
  }
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    const file = new File(['{}'], 'huge.json');
    Object.defineProperty(file, 'size', { value: 3e8 });
    Object.defineProperty(transfer, 'files', { value: [file] });
    const event = new DragEvent('drop', { bubbles: true });
    Object.defineProperty(event, 'dataTransfer', { value: { types: ['Files'], files: [file] } });
    document.body.dispatchEvent(event);
  });
  await eventually(async () => assert.match(await text(page, '.compare-error'), /“huge\.json” has 300 MB/));
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.locator('.compare-error').waitFor({ state: 'hidden' });
  quiet();
});

test('names in a file are text', async (t) => {
  const markup = '<img src=x onerror=alert(1)>';
  const { page } = await against(t, '#compare?show=table&search=onerror', ({ functions, target }) => {
    functions[busy({ functions }).id].name = `${markup}2`;
    target.fw_version = markup;
  });
  await eventually(async () => assert.equal((await row(page, `${markup}2`))?.ratio, 'gone'));
  await eventually(async () => assert.match(await side(page, 0), /<img src=x/));
  assert.equal(await page.locator('img').count(), 0);
  await page.keyboard.press('v');
  await page.keyboard.press('b');
  await page.locator('.compare .hot-list', { hasText: '<img' }).waitFor();
  quiet();
});

test('the base survives a reload; when the browser has lost it, the page reports it', async (t) => {
  const { page } = await against(t, '#compare?least=10');
  await page.locator('.compare .hot').waitFor();
  await eventually(async () =>
    assert.ok(await page.evaluate(() => sessionStorage.getItem('compare-base') !== null)),
  );
  await page.reload();
  await eventually(async () => assert.match(await side(page, 0), /base\.json/));
  await eventually(async () => assert.match(await hash(page), /least=10/));
  const key = () => page.evaluate(() => sessionStorage.getItem('compare-base'));
  const former = await key();
  await page.locator('.side-acts button:not([disabled])[aria-label="Mark now"]').waitFor(); // there is a profile to mark
  await page.keyboard.press('m');
  await eventually(async () => assert.match(await side(page, 0), /mark,/i));
  await eventually(async () => assert.notEqual(await key(), former));
  await page.reload();
  await eventually(async () => assert.match(await side(page, 1), /since the mark/i));
  await page.evaluate(() => sessionStorage.setItem('compare-base', 'gone'));
  await page.reload();
  await page.locator('.compare-error', { hasText: 'gone: the browser has not kept it' }).waitFor();
  await page.locator('.compare-start:not([hidden])').waitFor();
  quiet();
});

test('the keyboard alone marks, walks, zooms, measures, sorts, opens and removes', async (t) => {
  const page = await open(t, '#compare');
  const file = asFile('by-key.json', await snapshot());
  page.on('filechooser', (chooser) => chooser.setFiles(file));
  await marking(page);
  const key = async (name, address) => {
    await page.keyboard.press(name);
    await eventually(async () => assert.match(await hash(page), address));
  };
  await page.keyboard.press('m');
  await page.locator('.compare .flame-body:not([hidden])').waitFor();
  for (const name of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(name);
  await eventually(async () => assert.match(await text(page, '#compare-spoken'), /before .*after .*level 3/));
  await key('Enter', /zoom=/);
  await page.keyboard.press('Escape');
  await eventually(async () => assert.doesNotMatch(await hash(page), /zoom=/));
  await key('p', /measure=second/);
  await key('b', /side=before/);
  await key('i', /since=0/);
  await key('l', /least=10/);
  await key('w', /unit=calls/);
  await key('o', /order=name/);
  await key('x', /swap=1/);
  await page.keyboard.press('l');
  await key('v', /show=table/);
  await page.locator('.changes-table tbody th').first().waitFor();
  await key('<', /changes=after/);
  // The rows are sorted one frame after the address changes. A key pressed before that would choose by the old order.
  await page.locator('.changes-table th[aria-sort]', { hasText: /^After/ }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.locator('.changes-table tr[aria-selected="true"]').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.sandwich-name').waitFor();
  await page.goBack();
  await page.locator('.changes-table tbody th').first().waitFor();
  await page.keyboard.press('f');
  await eventually(async () => assert.match(await page.locator('.sides').innerText(), /by-key\.json/));
  await page.keyboard.press('Delete');
  await page.locator('.compare-start:not([hidden])').waitFor();
  quiet();
});

testOfAll('the table is copied as CSV, without formulas', async (t) => {
  const { page } = await against(
    t,
    '#compare?show=table&measure=share&least=0',
    ({ functions }) => {
      functions[busy({ functions }).id].name = '=HYPERLINK("x")';
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  );
  await page.getByRole('button', { name: 'Copy as CSV' }).click();
  await page.locator('.toast', { hasText: 'Table copied' }).waitFor();
  const csv = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(csv, /^function,file,time_share_before,/);
  assert.ok(csv.includes(`"'=HYPERLINK(""x"")"`), csv.slice(0, 300));
  quiet();
});

testOfAll('axe-core finds nothing wrong with graph, table and trouble, in either theme', needsMock, async (t) => {
  const { page } = await against(t, '#compare', ({ functions }) => (busy({ functions }).name = 'gone'));
  t.after(() => (mock().live = true));
  mock().live = false; // axe-core takes longer on a page that changes
  await page.locator('.compare .hot-list li:not([hidden])').first().waitFor();
  assert.deepEqual(await violationsInBothThemes(page), [], 'graph');
  await page.keyboard.press('v');
  await page.locator('.changes-table tbody th').first().waitFor();
  await picker(page).setInputFiles(asFile('notes.txt', 'no snapshot'));
  await page.locator('.compare-error:not([hidden])').waitFor();
  assert.deepEqual(await violationsInBothThemes(page), [], 'table');
  quiet();
});

test('at 390 pixels nothing of a comparison is cut off sideways', async (t) => {
  for (const show of ['flame', 'table']) {
    const size = { width: 390, height: 844 };
    const { page } = await against(t, `#compare?show=${show}`, () => {}, { size, hasTouch: true });
    await page.locator(show === 'flame' ? '.compare .flame-scroll canvas' : '.changes-table').waitFor();
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, show);
    for (const part of ['.sides', '.side >> nth=0', '.side-acts']) {
      const box = await page.locator(part).first().boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= 391, `${part} in ${show}`);
    }
  }
  quiet();
});

testOfAll('after a reload no message claims that there is no base until storage has been read', needsMock, async (t) => {
  const own = await ownMock({ rounds: 20, live: false });
  const page = await open(t, '#compare', { daemon: own.address });
  await page.locator('.compare-start button', { hasText: 'Mark now' }).click();
  await page.locator('.sides').waitFor();
  // Opening the database waits until release() is called. leave() clears the flag that asks for this.
  await page.addInitScript(() => {
    if (sessionStorage.getItem('slow') === null) return;
    const opened = indexedDB.open.bind(indexedDB);
    indexedDB.open = (...what) => {
      const request = {};
      globalThis.release = () => {
        const real = opened(...what);
        real.onsuccess = () => Object.assign(request, { result: real.result }).onsuccess();
      };
      return request;
    };
  });
  await page.evaluate(() => sessionStorage.setItem('slow', 'yes'));
  await page.reload();
  await page.waitForFunction(() => 'release' in globalThis);
  await page.locator('.compare button:not([disabled])', { hasText: 'Mark now' }).first().waitFor({ state: 'attached' }); // the profile is there
  assert.equal(await page.locator('.compare-start').isVisible(), false);
  await page.evaluate(() => globalThis.release());
  await page.locator('.sides').waitFor();
  quiet();
});
