// shots.mjs - takes pictures of every view and state in both themes and five sizes, for people to check.
//
//   node shots.mjs [DIRECTORY] [ADDRESS]      DIRECTORY default shots/; ADDRESS default: a mock daemon of its own

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { launch } from './chromium.mjs';
import { description, startMock } from './mock-server.mjs';

const directory = process.argv[2] ?? new URL('shots', import.meta.url).pathname;
const mock = process.argv[3] ? null : await startMock({ rounds: 400, perTick: 3, tasks: true, checkpoints: true, messages: 400 });
if (mock) markTime(mock.program);
const address = process.argv[3] ?? mock.address;
const only = process.env.SHOTS; // only pictures whose name contains this

const sizes = {
  large: { width: 2560, height: 1440 },
  full: { width: 1920, height: 1080 },
  wide: { width: 1440, height: 900 },
  low: { width: 720, height: 450 }, // 1440 × 900 at 200 %
  phone: { width: 390, height: 844 },
};
const views = {
  flame: { hash: '#flame' },
  zoomed: { hash: '#flame', act: (page) => zoomIn(page) },
  search: { hash: '#flame?search=fusion' },
  callers: { hash: '#flame?inverted=1&colour=file' },
  timeline: { hash: '#timeline', settleMs: 1500 },
  'timeline-paused': { hash: '#timeline', settleMs: 2500, act: (page) => page.keyboard.press(' ') },
  'timeline-call': { hash: '#timeline', settleMs: 1500, act: (page) => walkIn(page) },
  'timeline-range': { hash: '#timeline', settleMs: 1500, act: (page) => chooseRange(page) },
  'timeline-search': { hash: '#timeline?search=fusion', settleMs: 1500, act: (page) => walkIn(page, 'n') },
  tasks: { hash: '#tasks', settleMs: 2500 },
  functions: { hash: '#functions' },
  sandwich: { hash: '#functions?fn=tcp_output' },
  graph: { hash: '#graph' },
  'graph-function': { hash: '#graph?fn=tcp_output' },
  'graph-recursion': { hash: '#graph?fn=json_parse_value&depth=1', act: (page) => page.keyboard.press('ArrowRight') },
  checkpoints: { hash: '#checkpoints' },
  messages: { hash: '#messages' },
  'messages-chosen': { hash: '#messages?severity=warning', act: (page) => page.keyboard.press('ArrowUp') },
  'compare-empty': { hash: '#compare' },
  compare: { hash: '#compare', act: (page) => compared(page) },
  'compare-call': { hash: '#compare?measure=call&search=fusion', act: (page) => compared(page) },
  'compare-table': { hash: '#compare?show=table', act: (page) => compared(page) },
  'compare-mark': { hash: '#compare?least=10', act: (page) => marked(page) },
  'compare-error': { hash: '#compare', act: (page) => opened(page, 'notes.txt', 'no snapshot') },
  source: { hash: '#source?fn=tcp_output&row=574' },
  'source-code': { hash: '#source?fn=tcp_output&pane=code' },
  'source-none': { hash: '#source' },
  link: { hash: '#link', settleMs: 3500 },
};
const states = {
  'state-lost': {
    hash: '#flame',
    set: { source: { state: 'lost', detail: '/dev/ttyACM0 went away; trying again every 2 s' } },
  },
  'state-elf': { hash: '#flame', set: { target: { elf_match: false } } },
  'state-no-elf': { hash: '#functions', set: { source: { elf: null } } },
  'state-link': {
    hash: '#link',
    set: {
      target: { buffer_overflows: 12 },
      link: { crc_errors: 7, records_lost: 340, unplaced_calls: 12, line_use_percent: 93 },
    },
    freeze: true,
  },
  'state-settings': {
    hash: '#link',
    set: { target: { description, mode: 'stream' } },
    act: async (page) => {
      await page.locator('#setting-2').fill('99');
      await page.locator('#setting-1').fill('10');
    },
  },
  'state-waiting': {
    hash: '#flame',
    clear: true,
    set: {
      source: {
        state: 'connecting',
        detail: '/dev/ttyACM0 is open, but the device does not answer METADATA',
      },
    },
  },
  'state-stopped': { hash: '#flame', clear: true, set: { target: { profiling: false } } },
  'state-empty': { hash: '#flame', clear: true, set: {}, freeze: true },
};

/** Zooms the timeline until calls have names, and selects one. */
async function walkIn(page, key = 'ArrowDown') {
  await page.locator('.timeline-scroll canvas').focus();
  await page.keyboard.press('a');
  for (let i = 0; i < 11; i++) await page.keyboard.press('w');
  await page.waitForTimeout(500);
  for (let i = 0; i < 3; i++) await page.keyboard.press(key);
  await page.waitForTimeout(500);
}

async function chooseRange(page) {
  await walkIn(page);
  const { x, y, width } = await page.locator('.timeline-head canvas').boundingBox();
  await page.mouse.move(x + width * 0.3, y + 52);
  await page.mouse.down();
  await page.mouse.move(x + width * 0.6, y + 52, { steps: 3 });
  await page.mouse.up();
  await page.waitForTimeout(800);
}

async function zoomIn(page) {
  await page.locator('.flame-scroll canvas').focus();
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter', 'ArrowDown', 'ArrowDown'])
    await page.keyboard.press(key);
  await page.waitForTimeout(300);
}

const opened = async (page, name, text) => {
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  await page.waitForTimeout(900);
};

const marked = async (page) => {
  await page.keyboard.press('m');
  await page.waitForTimeout(1500);
  await page.mouse.move(200, 330);
  await page.waitForTimeout(200);
};

/** Compares with a base in which some functions took longer or shorter, one was gone and one was new. */
async function compared(page) {
  const snapshot = await (await fetch(`${address}api/v1/snapshot`)).json();
  const { functions, call_tree: tree } = snapshot;
  const id = (part) => functions.findIndex(({ name }) => name.includes(part));
  const factors = [
    ['operator*', 0.4],
    ['spi_wait', 1.8],
    ['_vsnprintf', 1.15],
    ['gfx_line', 0.85],
  ].map(([part, factor]) => [id(part), factor]);
  for (const [fn, factor] of factors) {
    tree.function.forEach((one, row) => {
      const more = one === fn ? tree.self_ticks[row] * (factor - 1) : 0;
      tree.self_ticks[row] += more;
      for (let at = row; more !== 0 && at > 0; at = tree.parent[at]) tree.total_ticks[at] += more;
    });
    for (const name of ['self_ticks', 'total_ticks', 'mean_ticks']) functions[fn][name] *= factor;
  }
  functions[id('quat_integrate')].name = 'quat_integrate_slow';
  snapshot.target = { ...snapshot.target, fw_version: 'v1.4.1' };
  await opened(page, 'profile-v1.4.1.json', JSON.stringify(snapshot));
  await page.mouse.move(420, 470);
  await page.waitForTimeout(200);
}

const browser = await launch();
await mkdir(directory, { recursive: true });

async function shoot(name, { hash, act, settleMs = 700 }, theme, size) {
  const file = `${name}-${theme}-${size}.png`;
  if (only && !file.includes(only)) return;
  const context = await browser.newContext({
    viewport: sizes[size],
    colorScheme: theme,
    hasTouch: size === 'phone',
  });
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && console.error(`${file}: ${message.text()}`));
  page.on('pageerror', (error) => console.error(`${file}: ${error.stack}`));
  await page.goto(address + hash);
  await page.waitForTimeout(settleMs);
  await act?.(page);
  await page.screenshot({ path: join(directory, file) });
  await context.close();
}

for (const size of Object.keys(sizes)) {
  for (const theme of ['light', 'dark']) {
    for (const [name, view] of Object.entries(views)) await shoot(name, view, theme, size);
  }
}
if (mock) {
  const healthy = structuredClone({ source: mock.source, target: mock.target, link: mock.link });
  for (const [name, state] of Object.entries(states)) {
    if (state.freeze) mock.live = false;
    if (state.clear) mock.clear();
    mock.set(state.set);
    await shoot(name, state, 'light', 'wide');
    await shoot(name, state, 'dark', 'phone');
    mock.set(healthy);
    mock.live = true;
  }
  const help = { hash: '#flame', act: (page) => page.keyboard.press('?') };
  const menu = {
    hash: '#flame',
    act: async (page) => {
      await page.mouse.click(500, 300, { button: 'right' });
    },
  };
  mock.program.run(200);
  await shoot('help', help, 'light', 'wide');
  await shoot('menu', menu, 'dark', 'wide');
  await shoot('export', { hash: '#flame', act: (page) => page.keyboard.press('e') }, 'light', 'wide');
  await mock.stop();
}
await browser.close();

/** Adds all that a timeline can show besides calls. */
function markTime(program) {
  const { timed } = program;
  timed.mark('reset', 'power on');
  program.run(12);
  timed.mark('message', 'net: link up, 100 Mbit/s');
  program.run(8);
  timed.mark('overflow', '');
  timed.lose(4000, 340);
  program.run(12);
  timed.mark('checkpoint', 'psa_connect end');
  program.run(8);
}
