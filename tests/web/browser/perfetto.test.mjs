// perfetto.test.mjs - the page hands a trace to Perfetto's page on request, and to no other page.

import assert from 'node:assert/strict';

import { eventually, open, quiet, ready, test, testOfAll } from './support.mjs';

/** A page that answers the third PING as Perfetto's does, and shows title and size of what it receives as its own title. */
const standIn = `<!doctype html><title>stand-in</title><script>
let asked = 0;
addEventListener('message', ({ data, source, origin }) => {
  if (data === 'PING' && ++asked >= 3) source.postMessage('PONG', origin);
  else if (data?.perfetto) document.title = data.perfetto.title + ': ' + data.perfetto.buffer.byteLength;
});
</script>`;

async function openIn(page) {
  await page.keyboard.press('e');
  const item = page.getByRole('menuitem', { name: 'Open in Perfetto' });
  const [there] = await Promise.all([page.context().waitForEvent('page'), item.click()]);
  return there;
}

testOfAll('the trace is handed over to the page that was asked for, in the browser', async (t) => {
  const page = await open(t, '#flame');
  const visited = [];
  await page.context().route('https://ui.perfetto.dev/**', (route) => {
    visited.push([route.request().method(), route.request().url()]);
    return route.fulfill({ contentType: 'text/html', body: standIn });
  });
  await ready(page);
  const there = await openIn(page);
  await eventually(async () => assert.match(await there.title(), /by miniprofd: [1-9]\d+$/));
  assert.deepEqual(visited, [['GET', 'https://ui.perfetto.dev/']], 'nothing is sent there');
  await there.close();
  quiet();
});

test('a Perfetto page that is closed before it answers is reported', async (t) => {
  const page = await open(t, '#flame');
  await page.context().route('https://ui.perfetto.dev/**', (route) => route.fulfill({ contentType: 'text/html', body: '<title>deaf</title>' }));
  await ready(page);
  const there = await openIn(page);
  await eventually(async () => assert.equal(await there.title(), 'deaf'));
  await there.close();
  await page.locator('.toast', { hasText: 'did not answer' }).waitFor();
  quiet();
});
