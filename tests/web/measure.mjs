// measure.mjs - measures which code of the page each browser test executes and what it costs, and proposes the tests of a usual run.
//
//   TEST_MEASURE=FILE node browser.test.mjs ...      runs all tests, also those of testOfAll(), and appends a line of JSON to FILE for each
//   node measure.mjs FILE [SHARE]      prints tests that together execute SHARE (0.96) of the blocks that all execute, cheapest blocks first
//
// A block is a stretch of a script that V8 always executes as a whole. Workers are not counted: the tests of the model cover their code.
// On a busy machine the same test takes more processor time, so compare only tests of one run.

import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = process.env.TEST_MEASURE;
const sessions = new Map(); // page -> its CDP session
let executed = new Map(); // script -> stretches [from, to] that the running test has executed

/** Returns the seconds of processor time that this process and its descendants have used. */
function processorTime() {
  const [parent, used] = [new Map(), new Map()];
  for (const id of readdirSync('/proc').filter((name) => /^\d/.test(name))) {
    try {
      const line = readFileSync(`/proc/${id}/stat`, 'latin1');
      const words = line.slice(line.lastIndexOf(')') + 2).split(' ');
      parent.set(id, words[1]);
      used.set(id, words.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100);
    } catch {
      // The process has just ended.
    }
  }
  const isOurs = (id) => id === String(process.pid) || (parent.has(id) && isOurs(parent.get(id)));
  return [...used].reduce((sum, [id, seconds]) => sum + (isOurs(id) ? seconds : 0), 0);
}

/** Adds what a script has executed. Ranges of inner functions and blocks override those around them. */
function add(script, functions) {
  const ranges = functions.flatMap((one) => one.ranges).sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const length = Math.max(...ranges.map((one) => one.endOffset));
  const isRun = new Uint8Array(length);
  for (const { startOffset, endOffset, count } of ranges) isRun.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  const key = `${new URL(script).pathname.split('/').at(-1)} ${length}`;
  if (!executed.has(key)) executed.set(key, []);
  for (let from = isRun.indexOf(1); from >= 0; ) {
    const end = isRun.indexOf(0, from);
    executed.get(key).push([from, end < 0 ? length : end]);
    from = end < 0 ? -1 : isRun.indexOf(1, end);
  }
}

async function take(page) {
  const { result } = await sessions.get(page).send('Profiler.takePreciseCoverage');
  for (const { url, functions } of result) if (url.startsWith('http')) add(url, functions);
}

/** Begins to measure a page. It is read before the page is left, since V8 then drops what it has counted. */
export async function measurePage(page) {
  if (!file) return;
  const session = await page.context().newCDPSession(page);
  sessions.set(page, session);
  await session.send('Profiler.enable');
  await session.send('Profiler.startPreciseCoverage', { detailed: true, callCount: true });
  for (const way of ['goto', 'reload']) {
    const plain = page[way].bind(page);
    page[way] = async (...rest) => {
      await take(page);
      return plain(...rest);
    };
  }
}

/** Runs a test and writes what it took. `what`: { view, name, isOfAll }. `pages()`: the pages in use when it has ended. */
export async function measured(what, run, pages) {
  if (!file) return run();
  const before = processorTime();
  executed = new Map();
  await run();
  for (const page of pages()) await take(page);
  const seconds = processorTime() - before;
  appendFileSync(file, `${JSON.stringify({ ...what, seconds, always: process.env.BASE_URL !== undefined, executed: Object.fromEntries(executed) })}\n`);
}

/** Returns the tests of a file, each with the set of blocks that it executes. */
function read(path) {
  const tests = readFileSync(path, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const edges = {}; // script -> sorted positions where one block ends and another begins
  for (const { executed: by } of tests) for (const [script, ranges] of Object.entries(by)) (edges[script] ??= new Set()) && ranges.flat().forEach((at) => edges[script].add(at));
  for (const script of Object.keys(edges)) edges[script] = [...edges[script]].sort((a, b) => a - b);
  for (const one of tests) {
    one.blocks = new Set();
    for (const [script, ranges] of Object.entries(one.executed)) {
      const all = edges[script];
      const index = new Map(all.map((at, i) => [at, i]));
      for (const [from, to] of ranges) for (let i = index.get(from); all[i] < to; i++) one.blocks.add(`${script} ${all[i]}`);
    }
  }
  return tests;
}

const sum = (tests) => tests.reduce((all, { seconds }) => all + seconds, 0);
const blocksOf = (tests) => new Set(tests.flatMap(({ blocks }) => [...blocks]));

/** Prints a proposal: each time the test with the most new blocks a second. Those with real daemons come first. Then, the present choice. */
function choose(path, share) {
  const tests = read(path);
  const left = blocksOf(tests);
  const every = left.size;
  const pick = (one, why) => {
    const before = left.size;
    for (const block of one.blocks) left.delete(block);
    one.isTaken = true;
    console.log(`${why}\t${one.view}\t${one.seconds.toFixed(2)}\t${before - left.size}\t${(100 * (1 - left.size / every)).toFixed(2)}\t${one.name}`);
  };
  for (const one of tests.filter(({ always }) => always)) pick(one, 'always');
  while (left.size > (1 - share) * every) {
    const worth = (one) => [...one.blocks].filter((block) => left.has(block)).length / Math.max(0.05, one.seconds);
    pick(tests.filter(({ isTaken }) => !isTaken).map((one) => [worth(one), one]).sort((a, b) => b[0] - a[0])[0][1], 'chosen');
  }
  for (const { view, seconds, name, blocks, isTaken } of tests)
    if (!isTaken) console.log(`all\t${view}\t${seconds.toFixed(2)}\t${[...blocks].filter((block) => left.has(block)).length}\t\t${name}`);
  const tell = (name, some) =>
    console.log(`${name}: ${some.length} tests, ${sum(some).toFixed(0)} s of processor time, ${((100 * blocksOf(some).size) / every).toFixed(2)} % of blocks`);
  tell('all', tests);
  tell('proposed', tests.filter(({ isTaken }) => isTaken));
  tell('the present usual run', tests.filter(({ isOfAll }) => !isOfAll));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) choose(process.argv[2], Number(process.argv[3] ?? 0.96));
