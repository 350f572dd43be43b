// link.test.mjs - the Link view: everything that a profile needs, looked at by the daemon when somebody asks.

import assert from 'node:assert/strict';

import { needsMock, open, ownMock, quiet, test, text, violationsInBothThemes } from './support.mjs';

const button = (page) => page.getByRole('button', { name: 'Check everything' });
const findings = [
  { verdict: 'ok', text: '<b>fw.elf</b> has the symbols of 5 functions.' },
  { verdict: 'warn', text: 'The device sends but does not answer; check the wire to its RX.' },
  { verdict: 'fail', text: 'fw.elf is not the program that runs; flash it.' },
];

test('everything is looked at when somebody asks, by mouse or key, and again', needsMock, async (t) => {
  const own = await ownMock({ rounds: 30 });
  own.doctor = { findings, fails: 1 };
  const page = await open(t, '#link', { daemon: own.address });
  const list = page.locator('.checkup li');
  await button(page).waitFor();
  assert.equal(await list.count(), 0, 'nobody asked');
  assert.ok(!own.asked.some((address) => address.includes('doctor')));
  await button(page).click();
  await page.locator('.checkup').getByText('1 of 3 are well.').waitFor();
  assert.deepEqual(
    await list.evaluateAll((items) => items.map((item) => [item.dataset.level, item.innerText])),
    findings.map(({ verdict, text: said }) => [verdict === 'fail' ? 'bad' : verdict, said]),
  );
  assert.deepEqual(await violationsInBothThemes(page), []);
  own.doctor = { findings: findings.slice(0, 1), fails: 0 };
  await button(page).focus();
  await page.keyboard.press('Enter');
  await page.locator('.checkup').getByText('All is well.').waitFor();
  assert.equal(await list.count(), 1);
  quiet();
});

test('a check that is not answered says why, and what was found stays', needsMock, async (t) => {
  const own = await ownMock({ rounds: 30 });
  own.doctor = { findings, fails: 1 };
  const page = await open(t, '#link', { daemon: own.address });
  await button(page).click();
  await page.locator('.checkup li').nth(2).waitFor();
  own.doctor = null;
  await button(page).click();
  await page.locator('.checkup').getByText('Two are being answered already.').waitFor();
  assert.match(await text(page, '.checkup'), /is not the program that runs/);
  quiet(/503/);
});
