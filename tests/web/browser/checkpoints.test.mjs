// checkpoints.test.mjs - the table of checkpoints.

import assert from 'node:assert/strict';

import { eventually, hash, needsMock, open, ownMock, quiet, snapshot, test, testOfAll, text, violationsInBothThemes } from './support.mjs';

const rows = (page) => page.locator('.checkpoints-table tbody tr:not(.spacer):not([hidden])');
const cells = (page, id) => rows(page).locator(`.col-${id}`).allInnerTexts();
const number = (cell) => (cell === '–' ? null : Number(cell.replaceAll(',', '')));

testOfAll('every row of the snapshot is there with its figures', async (t) => {
  const { address } = await shown();
  const page = await open(t, '#checkpoints?sort=count', { daemon: address });
  await rows(page).first().waitFor();
  const { checkpoints, target } = await snapshot(address);
  await eventually(async () => assert.equal(await rows(page).count(), checkpoints.length));
  const counts = (await cells(page, 'count')).map(number);
  const expected = checkpoints.map((row) => row.count).filter((n) => n !== null);
  assert.deepEqual(
    counts.filter((n) => n !== null),
    expected.sort((a, b) => b - a),
  );
  const time = (cell) => {
    const [, digits, unit] = /^([\d.,]+) ?(ns|µs|ms|s|k|M)?$/.exec(cell) ?? [];
    const size = { ns: 1e-9, 'µs': 1e-6, ms: 1e-3, s: 1, k: 1e3, M: 1e6 }[unit] ?? 1;
    return digits === undefined ? null : Number(digits.replaceAll(',', '')) * size;
  };
  const sum = (list) => list.reduce((all, x) => all + (x ?? 0), 0);
  for (const id of ['min', 'mean', 'max']) {
    const drawn = sum((await cells(page, id)).map(time));
    const told = sum(checkpoints.map((row) => row[`${id}_ticks`])) / (target.ticks_per_second ?? 1);
    assert.ok(Math.abs(drawn / told - 1) < 0.01, `${id}: ${drawn} for ${told}`);
  }
  quiet();
});

/** Returns a daemon with checkpoints: the mock, or the real one that replays a capture with some. */
async function shown() {
  if (process.env.CHECKPOINTS_URL) return { address: process.env.CHECKPOINTS_URL, own: null };
  const own = await ownMock({ rounds: 10, live: false, checkpoints: true });
  return { address: own.address, own };
}

test('bars lie between the shortest and the longest on a scale that all share', async (t) => {
  const { address } = await shown();
  const page = await open(t, '#checkpoints?sort=max', { daemon: address });
  await rows(page).first().waitFor();
  const boxes = await rows(page).evaluateAll((list) =>
    list.map((row) => {
      const edges = (one) => {
        const { left, right, width } = one.getBoundingClientRect();
        return one.hidden ? null : { left, right, width };
      };
      return ['.range-track', '.range-bar', '.range-mean'].map((part) => edges(row.querySelector(part)));
    }),
  );
  const bars = boxes.filter(([, bar]) => bar !== null);
  assert.ok(bars.length > 0);
  for (const [track, bar, mean] of bars) {
    assert.ok(bar.left >= track.left - 2 && bar.right <= track.right + 3);
    assert.ok(mean.right >= bar.left - 2 && mean.left <= bar.right + 2);
  }
  for (let i = 1; i < bars.length; i++) assert.ok(bars[i - 1][1].right >= bars[i][1].right - 2, 'by the longest');
  quiet();
});

test('headings sort both ways by mouse and by key, and the address keeps it', async (t) => {
  const { address } = await shown();
  const page = await open(t, '#checkpoints', { daemon: address });
  await rows(page).first().waitFor();
  const head = (id) => page.locator(`.checkpoints-table thead .col-${id}`);
  await eventually(async () => assert.equal(await head('mean').getAttribute('aria-sort'), 'descending'));
  await head('name').locator('button').click();
  await eventually(async () => assert.equal(await head('name').getAttribute('aria-sort'), 'ascending'));
  const names = async () => (await cells(page, 'name')).map((name) => name.toLowerCase());
  await eventually(async () => assert.deepEqual(await names(), (await names()).sort()));
  await page.keyboard.press('v');
  await eventually(async () => assert.equal(await head('name').getAttribute('aria-sort'), 'descending'));
  await page.keyboard.press('>');
  await eventually(async () => assert.equal(await head('name').getAttribute('aria-sort'), null));
  await eventually(async () => assert.match(await hash(page), /^#checkpoints\?sort=/));
  quiet();
});

testOfAll('the search keeps the rows that match and counts them', async (t) => {
  const { address } = await shown();
  const page = await open(t, '#checkpoints', { daemon: address });
  await rows(page).first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('non-secure');
  const { checkpoints } = await snapshot(address);
  const expected = checkpoints.filter((row) => [row.context, row.to_context].includes('non-secure')).length;
  await eventually(async () => assert.equal(await rows(page).count(), expected));
  await eventually(async () =>
    assert.equal(await text(page, '#search-result'), `${expected} of ${checkpoints.length}`),
  );
  await page.keyboard.type('no such thing');
  await page.locator('.checkpoints .table-nothing', { hasText: 'No row matches' }).waitFor();
  quiet();
});

testOfAll('a measurement comes in live; a pair that was never measured is dim and has no time', needsMock, async (t) => {
  const { address, own } = await shown();
  const page = await open(t, '#checkpoints', { daemon: address });
  await rows(page).first().waitFor();
  await eventually(async () => {
    assert.equal(await page.locator('.checkpoints-table tr[data-none]').count(), 1);
    assert.equal(await page.locator('tr[data-none] .col-min').innerText(), '–');
  });
  own.measure(own.checkpoints.find((row) => row.count === 0).id, 50);
  await eventually(async () => assert.equal(await page.locator('.checkpoints-table tr[data-none]').count(), 0));
  quiet();
});

testOfAll('axe-core finds nothing, and the view explains where checkpoints come from', needsMock, async (t) => {
  const { address, own } = await shown();
  const page = await open(t, '#checkpoints', { daemon: address });
  await rows(page).first().waitFor();
  assert.deepEqual(await violationsInBothThemes(page), []);
  own.checkpoints = [];
  await page.reload();
  await page.locator('.checkpoints .empty', { hasText: '--dialect tfm' }).waitFor();
  quiet();
});

testOfAll('in a narrow window the column sorted by is visible, also where worlds are crossed', needsMock, async (t) => {
  const own = await ownMock({ rounds: 5, live: false, checkpoints: true });
  const page = await open(t, '#checkpoints', { daemon: own.address, size: { width: 720, height: 450 } });
  await page.locator('[data-across] [aria-sort]').waitFor();
  const { x, width } = await page.locator('.checkpoints-table [aria-sort]').boundingBox();
  assert.ok(x + width < 721, `${x} … ${x + width}`);
  quiet();
});
