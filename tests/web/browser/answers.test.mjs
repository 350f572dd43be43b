// answers.test.mjs - eight questions about time and tasks: each is answered within three actions after the page opens, by keys and by mouse.

import assert from 'node:assert/strict';

import { cellDuration, duration } from '../../../webroot/js/model/format.js';
import { reader } from '../reader.mjs';
import { ask, eventually, hash, needsMock, open, ownMock, quiet, snapshot, test, testOfAll, text } from './support.mjs';

const actionsMost = 3;
const tab = (page, id) => page.locator(`#tabs a[data-view="${id}"]`);
const part = (page, name) => page.locator('.overview-aside').getByRole('region', { name });

/** Declares a test for each way. `run(reader, page, own)` starts on the page as it opens; `holds(page, own)` checks that the answer is shown. */
function question(name, ways, holds, { prepare = () => {} } = {}) {
  for (const [way, run] of Object.entries(ways)) {
    (way === 'keys' ? test : testOfAll)(`${name} by ${way}`, needsMock, async (t) => {
      const own = await ownMock({ rounds: 120, live: false, tasks: true });
      await prepare(own);
      const page = await open(t, '', { daemon: own.address, size: { width: 1440, height: 900 } });
      await page.locator('.slowest tbody tr').first().waitFor();
      await run(reader(page, actionsMost), page, own);
      await holds(page, own);
      quiet();
    });
  }
}

question(
  'why was this call late?',
  {
    mouse: (one, page) => one.click(page.locator('.slow-at button').first()),
    async keys(one, page) {
      await one.key('3');
      await page.locator('.lane-head').first().waitFor();
      await one.key('0');
      await eventually(async () => assert.match(await hash(page), /at=all/));
      await one.key('o');
    },
  },
  async (page) => {
    await page.locator('.timeline .detail-note', { hasText: /^Ran [\d.]/ }).waitFor();
  },
);

question(
  'one call in many that took far longer: which, and when?',
  {
    mouse: (one, page) => one.click(page.locator('.slow-at button').first()),
    async keys(one, page) {
      await one.key('3');
      await page.locator('.lane-head').first().waitFor();
      await one.key('0');
      await eventually(async () => assert.match(await hash(page), /at=all/));
      await one.key('o');
    },
  },
  async (page) => {
    await eventually(async () => assert.match(await hash(page), /^#timeline.*call=\d+-\d+-\d+/));
  },
);

question(
  'does this interrupt jitter, and when?',
  {
    async mouse(one, page) {
      await one.click(part(page, 'Busiest functions').locator('li button').first());
      await one.click(page.locator('.sandwich').getByRole('button', { name: 'Period', exact: true }));
    },
    async keys(one, page) {
      await one.key('4');
      await page.locator('.functions-table tbody th').first().waitFor();
      await one.key('ArrowDown');
      await page.locator('.sandwich-name').waitFor();
      await one.key('d');
    },
  },
  async (page, own) => {
    await eventually(async () => assert.equal(await page.locator('.sandwich').getByRole('button', { name: 'Period', exact: true }).getAttribute('aria-pressed'), 'true'));
    const { functions, target } = await snapshot(own.address);
    const name = await text(page, '.sandwich-name');
    const fn = functions.find((one) => one.name === name);
    const jitter = page.locator('.functions .stats > div:not([hidden])', { hasText: 'Jitter' });
    if (fn.period_jitter_ticks > 0) assert.ok((await jitter.innerText()).endsWith(duration(fn.period_jitter_ticks, target.ticks_per_second)));
    await page.locator('.histogram-bar').first().waitFor(); // each bar leads to a call that began a period of that length
  },
);

const stacks = (own) => {
  const contexts = own.program.contexts.bind(own.program);
  own.program.contexts = () => contexts().map((row) => ({ ...row, stack_bytes: 300, stack_unknown: 0, stack_node: 1 }));
};

question(
  'how much stack is left?',
  {
    async mouse(one, page) {
      await one.click(tab(page, 'tasks'));
      await one.click(page.locator('.stack-size').first());
      await one.say('1 k');
    },
    async keys(one, page) {
      await page.evaluate(() => localStorage.setItem('miniprofd stack sizes', '[["main",1024],["exceptions",1024]]')); // as if the reader had entered them
      await one.key('5');
    },
  },
  async (page) => {
    await page.locator('.tasks-table .task-why', { hasText: '724 B left' }).first().waitFor();
  },
  { prepare: stacks },
);

question(
  'which task starves?',
  {
    async mouse(one, page) {
      await one.click(tab(page, 'tasks'));
      await page.locator('.tasks-table .col-ready button:visible').first().waitFor();
      await one.click(page.locator('.tasks-table thead .col-ready button'));
    },
    async keys(one) {
      await one.key('5');
    },
  },
  async (page, own) => {
    const { tasks } = await ask('tasks', own.address);
    const { target } = await snapshot(own.address);
    const longest = Math.max(...tasks.map(({ ready_most: ready }) => ready?.duration ?? 0));
    await eventually(async () => assert.ok((await page.locator('.tasks-table td.col-ready').allInnerTexts()).some((cell) => cell.trim() === `≤ ${cellDuration(longest, target.ticks_per_second)}`)));
  },
);

question(
  'what changed since now?',
  {
    mouse: (one, page) => one.click(part(page, 'Since the mark').getByRole('button', { name: 'Mark now' })),
    keys: (one) => one.key('m'),
  },
  async (page) => {
    await part(page, 'Since the mark').getByText(/as before, or within noise/).waitFor();
  },
);

const lossy = 'The line is used to 97 %, so calls may soon be lost. Use a faster line (--baud-max).';
question(
  'what is lost, and why?',
  {
    mouse: (one, page) => one.click(page.locator('#connection')),
    keys: (one) => one.key('Shift+A'),
  },
  async (page) => {
    await page.locator('#panel .checks li', { hasText: lossy }).waitFor();
  },
  {
    prepare(own) {
      own.set({ target: { buffer_overflows: 12 }, link: { line_use_percent: 97 } });
      own.doctor = { findings: [{ verdict: 'warn', text: lossy }], fails: 0 };
    },
  },
);

const breach = async (own) => {
  const { newest } = await ask('timeline?max=1', own.address);
  own.breach(own.limits[0].id, newest - 700, newest, 700000);
};

question(
  'hold it to a limit, and find what broke it',
  {
    async mouse(one, page, own) {
      await one.click(part(page, 'Limits').getByRole('button', { name: 'Add a limit' }));
      await one.say('spi_wait:max<500us');
      await page.getByRole('dialog').getByRole('listitem').getByText('spi_wait:max<500us').waitFor();
      await breach(own);
      await one.click(page.getByRole('dialog').getByRole('button', { name: /worst/ }).first());
    },
    async keys(one, page, own) {
      await one.key('Shift+L');
      await page.getByRole('dialog').waitFor();
      await one.say('spi_wait:max<500us');
      await page.getByRole('dialog').getByRole('listitem').getByText('spi_wait:max<500us').waitFor();
      await breach(own);
      const worst = page.getByRole('dialog').getByRole('button', { name: /worst/ }).first();
      await worst.waitFor();
      await worst.focus(); // by Tab
      await one.key('Enter');
    },
  },
  async (page) => {
    await eventually(async () => assert.match(await hash(page), /^#timeline.*at=\d+-\d+/));
  },
);
