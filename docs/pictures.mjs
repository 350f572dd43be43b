// pictures.mjs - makes the pictures in docs/images from a daemon that reads the example firmware. That firmware has
// no checkpoints; a mock daemon shows these.
//
//   node pictures.mjs DIRECTORY ADDRESS [NAME]      started by make-pictures

import { join } from 'node:path';

import { launch } from '../tests/web/chromium.mjs';
import { startMock } from '../tests/web/mock-server.mjs';

const [, , directory, address, only] = process.argv;
const size = { width: 1280, height: 800 };
const named = (name) => encodeURIComponent(name);

const pictures = {
  overview: { hash: '#overview', act: (page) => shown(page, '.overview-curve canvas') },
  flame: { theme: 'dark', hash: '#flame', act: (page) => shown(page, '.hot-list li:not([hidden])') },
  'flame-light': { hash: '#flame?search=adc', act: (page) => shown(page, '.hot-list li:not([hidden])') },
  timeline: { hash: '#timeline', act: timeline },
  // With a height of 800 pixels it would have more than the 200 KB that make-pictures allows.
  functions: { hash: `#functions?fn=${named('Biquad::process(int)')}`, act: (page) => shown(page, '.edge-part li'), height: 720 },
  graph: { hash: '#graph?fn=telemetry_send', act: (page) => shown(page, '.graph-box'), height: 560 },
  source: { theme: 'dark', hash: '#source?fn=crc8_update', act: source },
  compare: { hash: '#compare', act: compare },
  checkpoints: { hash: '#checkpoints', act: (page) => shown(page, '.checkpoints-table tbody th'), made: true },
  link: { theme: 'dark', hash: '#link', settleMs: 25000 },
  // Made only if it is named, since it needs a daemon that reads example-tasks.
  tasks: { hash: '#tasks', act: (page) => shown(page, '.tasks-table .col-ready button:not([hidden])'), height: 560, isNamedOnly: true },
};

const shown = (page, selector) => page.locator(selector).first().waitFor();

/** Shows the longest of the newest rounds of the main loop, and selects a call in it. */
async function timeline(page) {
  const told = async (path) => (await fetch(`${address}api/v1/${path}`)).json();
  const { newest } = await told('timeline?max=1');
  const { target } = await told('snapshot');
  const { rows } = await told(`timeline?from=${newest - target.ticks_per_second / 25}&to=${newest}&max=100000`);
  const rounds = rows.start.map((_, i) => i).filter((i) => rows.depth[i] === 1 && rows.calls[i] === 1);
  const round = rounds.reduce((a, b) => (rows.duration[b] > rows.duration[a] ? b : a)); // not one of an interrupt
  const [start, length] = [rows.start[round], rows.duration[round]];
  await page.evaluate((where) => {
    location.hash = where;
  }, `#timeline?at=${start - Math.round(length / 20)}-${start + Math.round(length * 1.05)}`);
  await shown(page, '.lane-head');
  await page.waitForTimeout(500);
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
}

async function source(page) {
  await shown(page, '.source-code tbody th');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
}

/** Compares with a file in which two functions took longer and one took less time than now. */
async function compare(page) {
  const snapshot = await (await fetch(`${address}api/v1/snapshot`)).json();
  const { functions, call_tree: tree } = snapshot;
  for (const [name, factor] of [
    ['crc8_update', 1.8],
    ['Biquad::process(int)', 0.6],
    ['adc_convert', 1.3],
  ]) {
    const { id } = functions.find((fn) => fn.name === name);
    tree.function.forEach((fn, row) => {
      const more = fn === id ? tree.self_ticks[row] * (factor - 1) : 0;
      tree.self_ticks[row] += more;
      for (let at = row; more !== 0 && at > 0; at = tree.parent[at]) tree.total_ticks[at] += more;
    });
    for (const column of ['self_ticks', 'total_ticks', 'mean_ticks']) functions[id][column] *= factor;
  }
  snapshot.target.fw_version = 'motor-demo 0.9';
  await page.getByLabel('Snapshot file', { exact: true }).setInputFiles({
    name: 'motor-demo-0.9.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(snapshot)),
  });
  await page.locator('.compare .hot-list button').first().click();
  await page.mouse.move(640, 5);
}

const made = await startMock({ rounds: 100, live: false, checkpoints: true });
const browser = await launch();
for (const [name, { hash, theme = 'light', act, made: fromMade, settleMs = 1000, height = size.height, isNamedOnly = false }] of Object.entries(pictures)) {
  if (only ? name !== only : isNamedOnly) continue;
  const context = await browser.newContext({ viewport: { ...size, height }, colorScheme: theme });
  const page = await context.newPage();
  await page.goto((fromMade ? made.address : address) + hash);
  await act?.(page);
  await page.waitForTimeout(settleMs); // for what glides, and for plots over time
  await page.screenshot({ path: join(directory, `${name}.png`) });
  await context.close();
}
await browser.close();
await made.stop();
