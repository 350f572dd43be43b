// exactly.test.mjs - goes to a given moment, and shares the screen as a file, a link or a picture.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

import { ask, chooseInView, eventually, figure, hash, needsMock, open, ownMock, pause, quiet, saved, show, snapshot, test, testOfAll, text } from './support.mjs';

const moment = (page) => page.locator('#moment');

test('an unavailable moment is reported; time counts from the chosen origin', needsMock, async (t) => {
  const mock = await ownMock({ rounds: 60, live: false });
  const page = await open(t, '#flame', { daemon: mock.address });
  await page.locator('#tabs a[data-view="timeline"]').click();
  await page.getByRole('button', { name: 'Go to …' }).click();
  await moment(page).fill('99 s');
  await page.locator('dialog').getByRole('button', { name: 'Go', exact: true }).click();
  assert.match(await text(page, '#moment-error'), /^That is after the available time: 0\.000+ s to /);
  await moment(page).fill('0:00.02');
  await page.locator('dialog').getByRole('button', { name: 'Go', exact: true }).click();
  await eventually(async () => assert.match(await hash(page), /spot=\d/));
  await chooseInView(page, 'This moment');
  await eventually(async () => assert.match(await hash(page), /zero=\d/));
  await eventually(async () => assert.match(await figure(page, 'Start'), /^-?0\.00/));
  quiet();
});

test('a note is set at a moment, led to, and is in the address and the saved snapshot', needsMock, async (t) => {
  const mock = await ownMock({ rounds: 60, live: false });
  const { oldest } = mock.program.timed.answer(0, null, null, 1);
  const page = await open(t, `#timeline?at=${oldest + 18000}-${oldest + 22000}&spot=${oldest + 20000}`, { daemon: mock.address });
  await eventually(async () => assert.match(await hash(page), /call=/)); // the call that ran at that moment is selected
  await page.keyboard.press('b');
  await page.locator('#note-text').waitFor();
  await page.keyboard.type('</script><b>glitch');
  await page.keyboard.press('Enter');
  await eventually(async () => assert.ok((await hash(page)).includes(`notes=${oldest + 20000}-</script><b>glitch`)));
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('m');
  await eventually(async () => assert.equal(await text(page, '.timeline .detail-name'), 'Note: </script><b>glitch'));
  await page.locator('#tabs a[data-view="flame"]').click();
  await page.keyboard.press('Shift+B');
  assert.match(await text(page, '.notes li'), /0\.020000 s\s*<\/script><b>glitch/);
  await page.keyboard.press('Enter');
  await eventually(async () => assert.match(await hash(page), /^#timeline/));
  quiet();
});

/** Returns the rows sorted by text, since a live table is reordered only every few seconds. */
const rows = async (page) => (await page.locator('.functions-table tbody tr:not(.spacer):not([hidden])').allInnerTexts()).sort();
const snapshotOf = (mock, from, to) => ask(`snapshot?from=${from}&to=${to}`, mock.address);
const extent = (page) => text(page, '.timeline .extent');

/** Compares the rows that both tables show. The number of visible rows depends on the height of the notices above. */
async function assertSame(page, table) {
  const shown = await rows(page);
  const [fewer, more] = [shown, table].sort((a, b) => a.length - b.length);
  assert.ok(fewer.length > 10, `${fewer.length} rows`);
  assert.deepEqual(fewer.filter((row) => !more.includes(row)), []);
}

/** Saves the page as a file and opens that file. */
async function openSaved(t, page) {
  const file = await saved(t, page, () => page.keyboard.press('Shift+H'));
  await page.goto(pathToFileURL(file).href);
  await page.locator('[data-id="exactly"]').waitFor();
}

test('a file saved while paused has that moment, and opens on the part of the timeline that stood still', needsMock, async (t) => {
  const mock = await ownMock({ rounds: 60 });
  const page = await open(t, '#functions?sort=calls', { daemon: mock.address });
  await eventually(async () => assert.ok((await rows(page)).length > 10));
  await pause(page);
  const calls = (await snapshot(mock.address)).functions.reduce((sum, fn) => sum + fn.calls, 0);
  const table = await rows(page);
  await show(page, '#timeline');
  await eventually(async () => assert.match(await extent(page), /visible · .* available/));
  const stood = await extent(page);
  await eventually(async () => {
    const { functions } = await snapshot(mock.address);
    assert.ok(functions.reduce((sum, fn) => sum + fn.calls, 0) > calls, 'the target goes on');
  });
  assert.equal(await extent(page), stood);
  await openSaved(t, page);
  assert.match(await hash(page), /^#timeline\?at=\d+-\d+/);
  await eventually(async () => assert.equal(await extent(page), stood));
  await show(page, '#functions?sort=calls');
  await eventually(() => assertSame(page, table));
  quiet();
});

testOfAll('a file saved in a range has its figures, also on the card, names it, and leads out of it', needsMock, async (t) => {
  const mock = await ownMock({ rounds: 60 });
  const { oldest, newest } = mock.program.timed.answer(0, null, null, 1);
  const [from, to] = [0.3, 0.6].map((part) => Math.round(oldest + part * (newest - oldest)));
  const page = await open(t, `#functions?sort=calls&fn=tcp_output&range=${from}-${to}`, { daemon: mock.address });
  const line = page.locator('[data-id="range"]');
  await line.filter({ hasText: 'these calls only' }).waitFor();
  await eventually(async () => assert.ok((await rows(page)).length > 10));
  const [table, words] = [await rows(page), await line.locator('p').innerText()];
  await openSaved(t, page);
  assert.match(await hash(page), new RegExp(`range=${from}-${to}`));
  await eventually(() => assertSame(page, table));
  assert.equal(await line.locator('p').innerText(), words);
  const { calls } = (await snapshotOf(mock, from, to)).functions.find((fn) => fn.name === 'tcp_output');
  await eventually(async () => {
    const callers = await page.locator('.edge-part').first().locator('li:not([hidden])').allInnerTexts();
    const counted = callers.map((words) => Number(/([\d,]+) ×/.exec(words)[1].replaceAll(',', '')));
    assert.equal(counted.reduce((sum, n) => sum + n, 0), calls, 'its callers are those of the range');
  });
  await show(page, `#functions?sort=calls&range=${from}-${to - 1}`);
  await line.filter({ hasText: 'This file has no figures of it. Until then every view shows all time.' }).waitFor();
  await line.getByRole('button', { name: 'Show everything' }).click();
  await line.waitFor({ state: 'hidden' });
  await eventually(() => assert.rejects(assertSame(page, table)));
  quiet();
});

/** Returns the texts of a comparison, without the note that the base is lost on a reload: a saved file contains it. */
const compared = async (page) => {
  const sides = (await page.locator('.side').allInnerTexts()).map((words) => words.replace(/\nGone after.*/, ''));
  return [...sides, await text(page, '.compare-verdict')];
};

/** Checks that the saved file shows the same comparison as the page. */
async function comparedAlike(t, page, expected) {
  await eventually(async () => {
    await page.locator('.compare:not([data-behind]) .sides').waitFor();
    for (const [i, words] of expected.entries()) assert.match((await compared(page))[i], words);
  });
  const shown = await compared(page);
  await openSaved(t, page);
  await eventually(async () => assert.deepEqual(await compared(page), shown));
}

testOfAll('a file saved in a comparison has that comparison: since a mark, of two ranges, or with another file', needsMock, async (t) => {
  const mock = await ownMock({ rounds: 60, live: false });
  const mark = async (page) => {
    await page.locator('.compare button:visible:not([disabled])').and(page.getByRole('button', { name: /^Mark now/ })).click();
    await page.locator('.sides:not([hidden])').waitFor();
  };
  const page = await open(t, '#compare', { daemon: mock.address });
  await mark(page);
  mock.program.run(7);
  mock.publish();
  await comparedAlike(t, page, [/Mark,.* in [\d,]+ calls/is, /Since the mark.* in [\d,]+ calls$/is]);
  await chooseInView(page, 'The whole profile');
  await eventually(async () => assert.match((await compared(page))[1], /Current profile/i));

  const { oldest, newest } = mock.program.timed.answer(0, null, null, 1);
  const [half, three] = [0.5, 0.75].map((part) => Math.round(oldest + part * (newest - oldest)));
  await page.goto(`${mock.address}#compare?range=${oldest}-${half}`);
  await page.locator('[data-id="range"]', { hasText: 'these calls only' }).waitFor();
  await mark(page);
  await show(page, `#compare?range=${half}-${three}`);
  await page.locator('[data-id="range"]', { hasText: 'these calls only' }).waitFor();
  await comparedAlike(t, page, [/Mark of a range/i, /The range shown.* in [\d,]+ calls/is]);

  const later = { ...(await snapshotOf(mock, half, newest)), captured_at: '2026-01-02T03:04:05Z' };
  await page.goto(`${mock.address}#compare`);
  await page.locator('[data-id="range"]', { hasText: 'these calls only' }).waitFor({ state: 'hidden' }); // otherwise only the range would be marked
  await mark(page);
  const file = { name: 'later.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(later)) };
  await page.locator('.compare input[type="file"]').nth(1).setInputFiles(file);
  await comparedAlike(t, page, [/Mark,/i, /later\.json.* in [\d,]+ calls/is]);
  quiet();
});

test('a link includes the origin of time, and a picture shows the view; by mouse: two actions each', needsMock, async (t) => {
  const mock = await ownMock({ rounds: 60, live: false });
  const page = await open(t, '#timeline?at=all', { daemon: mock.address });
  await eventually(async () => assert.ok((await page.locator('.timeline .extent').innerText()).includes('available')));
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (words) => (globalThis.copied = words) } });
  });
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('menuitem', { name: 'Copy a link' }).click();
  const { oldest } = mock.program.timed.answer(0, null, null, 1);
  await eventually(async () => assert.match(await page.evaluate(() => globalThis.copied), new RegExp(`#timeline\\?.*zero=${oldest}`)));
  const file = await saved(t, page, () => page.keyboard.press('Shift+P'));
  const png = await readFile(file);
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  const box = await page.locator('.view.timeline').boundingBox();
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [box.width, box.height].map(Math.round));
  quiet();
});
