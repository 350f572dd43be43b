// measure.mjs - measures the frame times and the memory of a page from outside.
//
// A frame is the time from one animation frame to the next, as the reader sees it. Other programs of the machine can delay
// it. So the longest task of the page's main thread is printed beside it, in processor time: the most that a frame can be
// late on an idle machine.

import { readFileSync } from 'node:fs';

export const lateMs = 33.4; // two frames of a 60 Hz screen, rounded up

/** Returns the quantile of a list: `part` (0 to 1) of its values do not exceed it. */
export function share(list, part) {
  const all = Float64Array.from(list).sort();
  return all.length === 0 ? NaN : all[Math.min(Math.floor(part * all.length), all.length - 1)];
}

/** Notes each animation frame from now on. Returns a function that ends this and returns the times between them in ms. */
async function noteFrames(tab) {
  await tab.evaluate(() => {
    const times = (globalThis.benchFrames = []);
    const note = (now) => {
      times.push(now);
      if (globalThis.benchFrames === times) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  return async () => {
    const times = await tab.evaluate(() => {
      const noted = globalThis.benchFrames;
      globalThis.benchFrames = null;
      return noted;
    });
    return times.slice(1).map((time, i) => time - times[i]);
  };
}

async function readStream(session, handle) {
  let text = '';
  for (;;) {
    const { data, eof, base64Encoded } = await session.send('IO.read', { handle, size: 1 << 24 });
    text += base64Encoded ? Buffer.from(data, 'base64') : data;
    if (eof) break;
  }
  await session.send('IO.close', { handle });
  return JSON.parse(text).traceEvents;
}

/** Returns the process that shows the page. Others show parts of the browser or are spare. */
function processOf(events) {
  const renderers = events.filter(({ name, args }) => name === 'process_name' && args.name === 'Renderer');
  const pids = new Set(renderers.map(({ pid }) => pid));
  return events.find(({ name, pid }) => name === 'FireAnimationFrame' && pids.has(pid)).pid;
}

/** Returns the trace events of all processes while `act` runs, and its result. */
async function traced(browser, act) {
  const session = await browser.newBrowserCDPSession();
  await session.send('Tracing.start', {
    transferMode: 'ReturnAsStream',
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline'] },
  });
  const answer = await act();
  const done = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  const { stream } = await done;
  const events = await readStream(session, stream);
  await session.detach();
  return { events, answer };
}

/**
 * Returns processor times in ms: the longest task of the page's main thread, all its tasks in the busiest frame, all
 * its tasks, and all tasks of all threads of its process.
 */
function workOf(events) {
  const page = processOf(events);
  const ofPage = events.filter(({ pid }) => pid === page);
  const isMain = ({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain';
  const main = ofPage.find(isMain).tid;
  const began = ofPage.filter(({ name }) => name === 'FireAnimationFrame');
  const starts = began.map(({ ts }) => ts).sort((a, b) => a - b);
  const frames = new Float64Array(starts.length + 1);
  const work = { longest: 0, busiest: 0, main: 0, all: 0 };
  for (const event of ofPage) {
    if (event.ph !== 'X' || !event.name.endsWith('RunTask')) continue;
    const took = (event.tdur ?? 0) / 1000;
    work.all += took;
    if (event.tid !== main) continue;
    work.main += took;
    work.longest = Math.max(work.longest, took);
    let frame = 0;
    while (frame < starts.length && starts[frame] < event.ts) frame++;
    frames[frame] += took;
  }
  work.busiest = Math.max(...frames);
  return work;
}

/** Returns the page's processor time (see workOf) while `act` runs. */
export async function work(browser, act) {
  return workOf((await traced(browser, act)).events);
}

/**
 * Returns the frames of a tab (tab.mjs) while `act` runs: their number and that of late ones, the times between them in ms
 * (median, p99, worst), and the processor time (see workOf).
 */
export async function frames(browser, tab, act) {
  const { events, answer: between } = await traced(browser, async () => {
    const end = await noteFrames(tab);
    await act();
    return end();
  });
  return {
    count: between.length,
    late: between.filter((ms) => ms > lateMs).length,
    median: share(between, 0.5),
    p99: share(between, 0.99),
    worst: Math.max(...between),
    ...workOf(events),
  };
}

/** Returns the process's memory in bytes, with its share of memory that it has in common with others (PSS). */
const processBytes = (pid) =>
  Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]) * 1024;

const alone = { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-opener-policy': 'same-origin' };

/**
 * Allows the page's memory to be measured: performance.measureUserAgentSpecificMemory() requires a page that shares its
 * process with no other, which these headers declare for it and its threads.
 */
export async function letMeasure(page, address) {
  for (const place of [address, `${address}**/js/worker/*`]) {
    await page.route(place, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), ...alone } });
    });
  }
}

/**
 * Returns the page's memory after a garbage collection in bytes: `page` is that of its scripts and their threads, its
 * document and canvases; `process` is all of the renderer processes, including the browser's own code.
 */
export async function memory(browser, page) {
  const { bytes, breakdown } = await page.evaluate(() => performance.measureUserAgentSpecificMemory());
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => processBytes(id));
  return { page: bytes, process: Math.max(...renderers), breakdown };
}
