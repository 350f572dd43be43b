// link.test.mjs - the connection panel: the daemon's findings about all prerequisites of a profile.

import assert from 'node:assert/strict';

import { ask, eventually, hash, needsMock, open, ownMock, quiet, test, testOfAll, text, violationsInBothThemes } from './support.mjs';

const findings = [
  { verdict: 'ok', text: '<b>fw.elf</b> has the symbols of 5 functions.' },
  { verdict: 'warn', text: 'The device sends but does not answer; check the wire to its RX.' },
  { verdict: 'fail', text: 'fw.elf is not the program that runs; flash it.' },
];

testOfAll('problems are shown, the rest is folded, and both are kept current', needsMock, async (t) => {
  const own = await ownMock({ rounds: 30 });
  own.doctor = { findings, fails: 1 };
  const page = await open(t, '#link', { daemon: own.address });
  await page.locator('.checks').getByText('2 of 3 checks need attention.').waitFor();
  const wrong = page.locator('.checks > ul li');
  assert.deepEqual(
    await wrong.evaluateAll((items) => items.map((item) => [item.dataset.level, item.innerText])),
    [['bad', findings[2].text], ['warn', findings[1].text]],
  );
  const right = page.locator('.checks details li');
  assert.ok(!(await right.first().isVisible()));
  await page.getByText('1 check passed').click();
  assert.equal(await right.innerText(), findings[0].text);
  assert.deepEqual(await violationsInBothThemes(page), []);
  own.doctor = { findings: findings.slice(0, 1), fails: 0 };
  await page.locator('.checks').getByText('The only check passed.').waitFor();
  assert.equal(await wrong.count(), 0);
  assert.ok(await right.isVisible(), 'it was opened');
  quiet();
});

test('when records were lost leads to the newest gap on the timeline', needsMock, async (t) => {
  const own = await ownMock({ rounds: 30, live: false });
  own.program.timed.lose(5000, 7);
  own.program.run(20);
  own.set({ link: { records_lost: 7 } });
  const page = await open(t, '#link', { daemon: own.address });
  await page.locator('.cards .last-at').getByRole('button', { name: /ago$/ }).click();
  const { gaps } = await ask('timeline?max=1', own.address);
  await eventually(async () => {
    const [, from, to] = (/^#timeline\?.*at=(\d+)-(\d+)/.exec(await hash(page)) ?? assert.fail()).map(Number);
    assert.ok(from < gaps.from[0] && to > gaps.to[0] && !(await hash(page)).includes('panel='));
  });
  quiet();
});

testOfAll('the last findings stay when an answer is missing; before the first answer a reason is shown', needsMock, async (t) => {
  const own = await ownMock({ rounds: 30 });
  own.doctor = null;
  const page = await open(t, '#link', { daemon: own.address });
  await page.locator('.checks').getByText('Two are being answered already.').waitFor();
  own.doctor = { findings, fails: 1 };
  await page.locator('.checks > ul li').nth(1).waitFor();
  own.doctor = null;
  const before = own.asked.length;
  await eventually(() => assert.ok(own.asked.slice(before).some((address) => address.includes('doctor'))));
  assert.match(await text(page, '.checks'), /is not the program that runs/);
  quiet(/503/);
});

testOfAll('the overhead of measuring is shown, with a compiler option that can be copied', needsMock, async (t) => {
  const own = await ownMock({ rounds: 30 });
  const words = 'Measuring slows this program 2.2 times; 60 % of that in 46 functions that are shorter than their hooks.';
  const offer = { verdict: 'ok', text: 'Without the hooks of 2 functions the program runs 1.9 times faster; compile with gcc and', paste: '-finstrument-functions-exclude-function-list=get,<b>' };
  own.slowdown = { factor: 2.2, at_least: false, hook_ticks: 600, ticks: 1100, short_functions: 46, short_hook_ticks: 360, words };
  own.doctor = { findings: [findings[0], offer], fails: 0 };
  const page = await open(t, '#link', { daemon: own.address });
  await page.getByText(words).waitFor();
  const item = page.locator('.offers li');
  assert.equal(await item.locator('p').innerText(), `${offer.text} ${offer.paste}`);
  assert.match(await text(page, '.cards'), /Slowdown\s*2\.2 ×/);
  await item.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Option copied').waitFor();
  assert.deepEqual(await violationsInBothThemes(page), []);
  quiet();
});
