// page.mjs - measures the page's speed and memory in Chromium without a graphics card, compared with speedscope on the
// same calls.
//
//   node page.mjs MINIPROFD BENCH_GENERATE [PART ...]     all parts by default; memory=30 takes 30 minutes,
//                                                         beside=1e6 compares one size
//
// Prints figures, and does not fail for any of them. If it cannot run here it prints the reason and exits with 77.

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

import { launch, missing } from '../web/chromium.mjs';
import { generate, onFile, onStream } from './page/daemon.mjs';
import { zoomAndPan } from './page/gestures.mjs';
import { frames, lateMs, letMeasure, memory, share, work } from './page/measure.mjs';
import { release, serve, writeProfile } from './page/speedscope.mjs';
import { openTab } from './page/tab.mjs';

const why = await missing();
if (why !== '') {
  console.log(`SKIP: ${why}`);
  process.exit(77);
}

const [program, generator, ...only] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'miniprofd-bench-'));
const inFolder = (name) => join(folder, name);
const large = ['--nodes', '130000', '--functions', '2000', '--depth', '12']; // some 100,000 nodes are called
const lineRate = 1.2e6; // bytes a second: 12 Mbaud
const size = { width: 1280, height: 800 };
const deadMs = 180000; // a tab that shows nothing for this long has crashed

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const ms = (x) => (x >= 1000 ? `${(x / 1000).toFixed(1)} s` : `${x.toFixed(x < 100 ? 1 : 0)} ms`);
const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
const say = (...cells) => console.log(cells.map((cell, i) => String(cell).padEnd(i ? 15 : 58)).join(''));

/** Runs `use(browser)` with a new browser and closes that. */
async function inBrowser(use) {
  // Memory is measured at once, not at the browser's next garbage collection.
  const browser = await launch(['--enable-blink-features=ForceEagerMeasureMemory', '--enable-precise-memory-info'], {
    asReadersHaveIt: true,
  });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

/** Runs `use(browser, page)` with a page in a new browser. */
const withPage = (use) =>
  inBrowser(async (browser) => {
    const context = await browser.newContext({ viewport: size });
    const page = await context.newPage();
    page.setDefaultTimeout(deadMs);
    return use(browser, page);
  });

/** Runs `use(daemon)` and stops the daemon. */
async function on(starting, use) {
  const daemon = await starting;
  try {
    return await use(daemon);
  } finally {
    await daemon.stop();
  }
}

/** Notes when the flame graph was first painted, in ms since the navigation began. */
const noteFirst = (page) =>
  page.addInitScript(() => {
    const look = () => {
      // The list is filled when the graph is painted.
      if (document.querySelector('.hot-list li:not([hidden])')) globalThis.benchFirst = performance.now();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });

const hotList = '.hot-list li:not([hidden])';

async function first(page) {
  await page.locator(hotList).first().waitFor();
  return page.evaluate(() => globalThis.benchFirst);
}

function sayFrames(what, result) {
  const { count, late, median, p99, worst, longest, busiest } = result;
  say(what, `${late} of ${count}`, ms(median), ms(p99), ms(worst), ms(longest), ms(busiest));
}

const framesHead = () =>
  say('pan and zoom', `over ${Math.floor(lateMs)} ms`, 'median', 'p99', 'worst', 'longest task', 'busiest frame');

async function treeOf(daemon) {
  const { call_tree: tree } = await daemon.ask('snapshot');
  return `${tree.calls.filter((calls) => calls > 0).length.toLocaleString('en')} nodes`;
}

// --- the parts
// ------------------------------------------------------------------------------------------------------------

/** Measures frames while a simulated hand zooms and pans in the canvas of a view. */
async function inView(daemon, view, canvas, what) {
  await inBrowser(async (browser) => {
    const tab = await openTab(browser, `${daemon.address}#${view}`, size);
    await tab.waitFor(canvas);
    await wait(2000); // the first requests and the first paint are not measured here
    sayFrames(what, await frames(browser, tab, () => zoomAndPan(tab, canvas, 3)));
    await tab.close();
  });
}

const flame = (daemon, what) => inView(daemon, 'flame', '.flame-scroll canvas', what);
const timeline = (daemon, what) => inView(daemon, 'timeline', '.timeline-scroll canvas', what);

async function still() {
  await generate(generator, inFolder('still.bin'), inFolder('still.elf'), ['--calls', '8e6', ...large]);
  await on(onFile(program, inFolder('still.bin'), inFolder('still.elf')), async (daemon) => {
    await flame(daemon, `flame graph, ${await treeOf(daemon)}, still`);
    await timeline(daemon, 'timeline of the last 1,000,000 calls, still');
  });
}

/** Starts a daemon that has most of a large tree and receives more calls at the rate of a fast line. */
const onLargeStream = () =>
  onStream(program, generator, inFolder('live.elf'), { ahead: 1.2e8, rate: lineRate, options: large });

async function live() {
  await on(onLargeStream(), async (daemon) => {
    await flame(daemon, `flame graph, ${await treeOf(daemon)}, live at 12 Mbaud`);
    await timeline(daemon, 'timeline of the last 1,000,000 calls, live at 12 Mbaud');
  });
}

/** Returns when the flame graph was shown, in ms since the navigation began, and the page's memory then. */
async function openOnce(daemon) {
  return withPage(async (browser, page) => {
    await letMeasure(page, daemon.address);
    await noteFirst(page);
    await page.goto(daemon.address);
    return { took: await first(page), held: await memory(browser, page) };
  });
}

async function opening() {
  await generate(generator, inFolder('open.bin'), inFolder('open.elf'), ['--calls', '1e7']);
  await on(onFile(program, inFolder('open.bin'), inFolder('open.elf')), async (daemon) => {
    const opened = [];
    for (let i = 0; i < 5; i++) opened.push(await openOnce(daemon));
    const times = opened.map(({ took }) => took);
    const { held } = opened.at(-1);
    const cost = await withPage((browser, page) =>
      work(browser, async () => {
        await page.goto(daemon.address);
        await page.locator(hotList).first().waitFor();
      }),
    );
    say(
      '10,000,000 calls, navigation to flame graph',
      `median ${ms(share(times, 0.5))}`,
      `best ${ms(Math.min(...times))}`,
      `work ${ms(cost.main)}`,
      `+ ${ms(cost.all - cost.main)}`,
      `page ${mb(held.page)}`,
      `process ${mb(held.process)}`,
    );
  });
}

async function held(minutes) {
  await on(onLargeStream(), async (daemon) => {
    await withPage(async (browser, page) => {
      await letMeasure(page, daemon.address);
      await noteFirst(page);
      await page.goto(daemon.address);
      await first(page);
      say('memory, live at 12 Mbaud', 'tree', 'page', 'process');
      const steps = 10;
      for (let step = 0; step <= steps; step++) {
        const { page: bytes, process: all } = await memory(browser, page);
        const minute = (minutes / steps) * step;
        say(`after ${minute.toFixed(1)} minutes`, await treeOf(daemon), mb(bytes), mb(all));
        if (step < steps) await wait((minutes / steps) * 60000);
      }
    });
  });
}

/** Opens a page and waits for `ready(page)`. Returns { took, held }, or { died } if that fails. */
async function open(address, ready, prepare = async () => {}) {
  return withPage(async (browser, page) => {
    await prepare(page, address);
    const crashed = new Promise((resolve) => page.once('crash', () => resolve('the tab died')));
    const opened = (async () => {
      const began = performance.now();
      await page.goto(address);
      await ready(page);
      const took = performance.now() - began;
      return { took, held: await memory(browser, page) };
    })();
    try {
      return await Promise.race([crashed.then((died) => ({ died })), opened]);
    } catch (error) {
      if (error.name !== 'TimeoutError') throw error;
      return { died: `nothing in ${deadMs / 1000} s` };
    }
  });
}

async function beside(sizes) {
  if (!existsSync(release)) {
    console.log('SKIP: no speedscope (run "npm ci" in tests/web)');
    return;
  }
  say('to the first view', 'speedscope', 'page', 'process', 'miniprofd', 'page', 'process');
  for (const calls of sizes) {
    const [capture, elf, profile] = ['beside.bin', 'beside.elf', 'beside.json'].map(inFolder);
    await generate(generator, capture, elf, ['--calls', String(calls)]);
    await writeProfile(capture, profile, (address) => `function ${address.toString(16)}`);
    const served = await serve(profile);
    const theirs = await open(served.address, (page) => page.getByText('Export').last().waitFor());
    served.stop();
    const ours = await on(onFile(program, capture, elf), ({ address }) =>
      open(address, (page) => page.locator(hotList).first().waitFor(), letMeasure),
    );
    const cells = ({ died, took, held: { page, process } = {} }) =>
      died ? [died, '–', '–'] : [ms(took), mb(page), mb(process)];
    say(`${calls.toLocaleString('en')} calls`, ...cells(theirs), ...cells(ours));
  }
}

const parts = {
  async frames() {
    framesHead();
    await still();
    await live();
  },
  opening,
  beside: (calls) => beside(calls ? [Number(calls)] : [1e5, 1e6, 4e6, 1e7]),
  memory: (minutes) => held(Number(minutes ?? 1)),
};

try {
  for (const wanted of only.length > 0 ? only : Object.keys(parts)) {
    const [part, value] = wanted.split('=');
    if (!Object.hasOwn(parts, part)) throw new Error(`There is no part "${part}", only ${Object.keys(parts).join(', ')}.`);
    console.log(`\n[${part}; load ${loadavg()[0].toFixed(1)}]`);
    await parts[part](value);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
