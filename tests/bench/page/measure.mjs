// measure.mjs - how long a page's frames take and how much memory it holds, seen from outside.
//
// A frame is the time from one animation frame to the next, as the reader sees it; on a machine that does other things,
// too, that is also theirs. So the processor time of the page's main thread is told beside it: the longest task, which
// is what a frame can be late by when the machine is free.

import { readFileSync } from 'node:fs';

export const lateMs = 33.4; // two frames of a 60 Hz screen, and what clocks round

/** What `part` (0 to 1) of the list does not exceed. */
export function share(list, part) {
  const all = Float64Array.from(list).sort();
  return all.length === 0 ? NaN : all[Math.min(Math.floor(part * all.length), all.length - 1)];
}

/** Notes each animation frame from now on; the function answered ends it and gives the times between them in ms. */
async function noteFrames(page) {
  await page.evaluate(() => {
    const times = (globalThis.benchFrames = []);
    const note = (now) => {
      times.push(now);
      if (globalThis.benchFrames === times) requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  return async () => {
    const times = await page.evaluate(() => {
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

const isMain = (event) => event.name === 'thread_name' && event.args.name === 'CrRendererMain';

/** Processor time of the page's main thread in ms: of its longest task, and of all tasks of its busiest frame. */
function workOf(events) {
  const mains = new Set(events.filter(isMain).map(({ pid, tid }) => `${pid} ${tid}`));
  const ofPage = events.filter(({ ph, pid, tid }) => ph === 'X' && mains.has(`${pid} ${tid}`));
  const began = ofPage.filter(({ name }) => name === 'FireAnimationFrame').map(({ ts }) => ts);
  began.sort((a, b) => a - b);
  const frames = new Float64Array(began.length + 1);
  let longest = 0;
  for (const { name, ts, tdur } of ofPage) {
    if (!name.endsWith('RunTask') || tdur === undefined) continue;
    longest = Math.max(longest, tdur / 1000);
    let frame = 0;
    while (frame < began.length && began[frame] < ts) frame++;
    frames[frame] += tdur / 1000;
  }
  return { longest, busiest: Math.max(...frames) };
}

/**
 * Frames of the page while `act` runs: how many there were and how many late, the times between them in ms (median,
 * p99, worst), and the main thread's work.
 */
export async function frames(browser, page, act) {
  const session = await browser.newBrowserCDPSession();
  await session.send('Tracing.start', {
    transferMode: 'ReturnAsStream',
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline'] },
  });
  const end = await noteFrames(page);
  await act();
  const between = await end();
  const done = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  const { stream } = await done;
  const work = workOf(await readStream(session, stream));
  await session.detach();
  return {
    count: between.length,
    late: between.filter((ms) => ms > lateMs).length,
    median: share(between, 0.5),
    p99: share(between, 0.99),
    worst: Math.max(...between),
    ...work,
  };
}

/** Bytes of memory of the process: its own and its share of what it has in common with others (PSS). */
const processBytes = (pid) =>
  Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]) * 1024;

/**
 * Lets the page be measured: performance.measureUserAgentSpecificMemory, which the standard has for it, wants a page
 * that shares its process with no other, and that is what these headers say.
 */
export async function letMeasure(page, address) {
  for (const place of [address, `${address}js/worker/*`]) {
    await page.route(place, async (route) => {
      const response = await route.fetch();
      const headers = { ...response.headers(), 'cross-origin-embedder-policy': 'require-corp' };
      await route.fulfill({ response, headers });
    });
  }
}

/**
 * What the page holds once its garbage is collected, in bytes: `page`, its scripts' memory with that of its threads,
 * its document and canvases; `process`, all of the renderer processes with the browser's own code.
 */
export async function memory(browser, page) {
  const { bytes, breakdown } = await page.evaluate(() => performance.measureUserAgentSpecificMemory());
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => processBytes(id));
  return { page: bytes, process: Math.max(...renderers), breakdown };
}
