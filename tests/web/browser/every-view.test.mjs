// every-view.test.mjs - tests each view with the data of real daemons: the example firmware, a generated capture
// with a damaged stretch, and captures of other dialects. It uses the mouse in the light theme and only keys in the
// dark one. The figures must equal the snapshot's, a reload must return to the same place, axe-core must find
// nothing, and 390 pixels must be wide enough. A usual run tests each view with one daemon and one way; TEST_ALL
// tests all combinations.

import assert from 'node:assert/strict';

import { views } from './every-view.mjs';
import { ask, clickTo, doesAll, eventually, hash, keyOf, openKept, quiet, shown, test, violations } from './support.mjs';

const everywhere = ['overview', 'flame', 'timeline', 'functions', 'graph', 'source', 'compare', 'link'];
const shows = [
  { name: 'the example firmware', from: 'BASE_URL', ids: everywhere, stop: true, usual: { mouse: ['overview', 'flame', 'link'], keys: ['functions', 'compare'] } },
  { name: 'its stream', from: 'STREAM_URL', ids: ['flame', 'timeline', 'tasks', 'functions', 'graph'], stop: true, usual: { keys: ['timeline', 'tasks', 'graph'] } },
  { name: 'a generated capture', from: 'GENERATED_URL', ids: everywhere, usual: { mouse: ['source', 'timeline'] } },
  { name: 'TF-M checkpoints', from: 'CHECKPOINTS_URL', ids: ['checkpoints', 'link'], usual: { keys: ['checkpoints'] } },
  { name: 'SyS-T messages', from: 'MESSAGES_URL', ids: ['messages', 'flame'], usual: { mouse: ['messages'] } },
  { name: 'gprof samples', from: 'SAMPLES_URL', ids: ['flame', 'functions', 'link'], usual: { keys: ['flame'] } },
];

/** Uses only the mouse: clicks tabs. */
const byMouse = {
  theme: 'light',
  show: clickTo,
  stop: (page) => page.getByRole('button', { name: 'Stop', exact: true }).click(),
  act: (view) => view.mouse,
};
/** Uses only keys. */
const byKeys = {
  theme: 'dark',
  show: async (page, id) => page.keyboard.press(await keyOf(page, id)),
  stop: (page) => page.keyboard.press('Shift+X'),
  act: (view) => view.keys,
};

/** Restarts profiling on the target. */
async function start(daemon) {
  const json = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${daemon}api/v1/device/start`, { method: 'POST', headers: json, body: '{}' });
  assert.equal(answer.status, 200, 'the tests that follow need it running');
}

for (const { name, from, ids, stop, usual } of shows) {
  const daemon = process.env[from];
  const skip = daemon ? false : `${from} is not set: tests/web/real.py starts the daemons`;
  const told = (path) => ask(path, daemon);
  for (const [way, { theme, show, stop: stopBy, act }] of Object.entries({ mouse: byMouse, keys: byKeys })) {
    for (const id of doesAll ? ids : usual[way] ?? []) {
      test(`${id} of ${name}, by ${way}, ${theme}`, { skip }, async (t) => {
        const page = await openKept('#overview?idle=1&panel=link', { daemon, theme }); // a snapshot has idle time, too
        await page.locator('.card:not([hidden])').first().waitFor();
        if (stop) {
          // Figures that no longer change can be compared to the last digit.
          const state = (words) => page.locator('#connection-title', { hasText: words }).waitFor();
          t.after(() => start(daemon));
          await state(/Connected|Data is missing/);
          await stopBy(page);
          await state('Profiling stopped');
        }
        if (id !== 'link') {
          await page.keyboard.press('Escape'); // closes the panel, which covers the views
          await page.locator('#panel').waitFor({ state: 'hidden' });
          await show(page, id);
          await shown(page, id);
        }
        const view = views[id];
        await act(view)?.(page, told);
        const same = () => view.same(page, told);
        await eventually(same);
        // Colours are the same with every daemon: they are checked once a view.
        assert.deepEqual(await violations(page, { colours: usual[way]?.includes(id) ?? false }), [], 'axe-core');
        const where = await hash(page);
        await page.reload();
        await eventually(same);
        await eventually(async () => assert.equal(await hash(page), where, 'a reload comes back to it'));
        await page.setViewportSize({ width: 390, height: 844 });
        await eventually(async () =>
          assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390),
        );
        quiet();
      });
    }
  }
}
