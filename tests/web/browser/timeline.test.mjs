// timeline.test.mjs - the timeline: figures of calls, moving by mouse and by keys, following, ranges, losses. held.test.mjs tests its ends.

import assert from 'node:assert/strict';

import { duration, percent } from '../../../webroot/js/model/format.js';
import { exactly } from '../../../webroot/js/model/search.js';
import { ask, eventually, figure, hash, mock, needsMock, open, ownMock, pause, quiet, snapshot, test, testOfAll, text, violations } from './support.mjs';
import { canvas, head, name, nameAndDuration, ready } from './timeline.mjs';

const follow = (page) => page.getByRole('button', { name: /^Follow/ });

/** Returns a stretch in the middle of the timeline with its single calls: { from, to, calls }. */
async function stretch() {
  const { oldest, newest } = await ask('timeline?max=1');
  for (let length = 1000; ; length *= 2) {
    const from = Math.round((oldest + newest - length) / 2);
    const { rows } = await ask(`timeline?from=${from}&to=${from + length}&max=100000`);
    if (rows.start.length < 100 && length < newest - oldest) continue;
    const calls = rows.start.map((start, i) => ({
      start,
      end: start + rows.duration[i],
      fn: rows.function[i],
      context: rows.context[i],
      depth: rows.depth[i],
    }));
    return { from, to: from + length, calls };
  }
}

const longest = (calls, { from, to }) =>
  calls
    .filter(({ start, end }) => start > from && end < to)
    .sort((a, b) => b.end - b.start - (a.end - a.start))[0];

/** Returns the visible part, once the address has it. */
async function sightOf(page) {
  return eventually(async () => {
    const found = /[?&]at=(\d+)-(\d+)/.exec(await hash(page));
    assert.ok(found);
    return { from: Number(found[1]), to: Number(found[2]) };
  });
}

/** Returns the visible part once `wanted` accepts it and it no longer changes: the address follows a gesture in steps. */
async function restOf(page, wanted) {
  let last = null;
  return eventually(async () => {
    const before = last;
    last = await sightOf(page);
    assert.ok(wanted(last));
    assert.deepEqual(last, before);
    return last;
  });
}

/** Returns the position of a call on the canvas. */
async function spotOf(page, { start, end, context, depth }, { from, to }) {
  const box = await canvas(page).boundingBox();
  const lane = await page.locator(`.lane-head[data-context="${context}"]`).boundingBox();
  const { rows } = await ask('timeline');
  const least = Math.min(...rows.depth.filter((_, i) => rows.context[i] === context));
  const rowPx = Number(await canvas(page).getAttribute('data-row'));
  return {
    x: (((start + end) / 2 - from) / (to - from)) * box.width,
    y: lane.y - box.y + 19 + (depth - least + 0.5) * rowPx,
  };
}

for (const theme of ['light', 'dark']) {
  (theme === 'light' ? test : testOfAll)(`a call pointed at shows what the daemon sends of it, ${theme}`, async (t) => {
    const part = await stretch();
    const call = longest(part.calls, part);
    const page = await open(t, `#timeline?at=${part.from}-${part.to}`, { theme });
    await ready(page);
    const { functions, target } = await snapshot();
    await eventually(async () => {
      const spot = await spotOf(page, call, part); // the lanes may still move
      await canvas(page).hover({ position: { x: spot.x + Math.random(), y: spot.y } });
      assert.equal(await name(page), functions[call.fn].name);
    });
    assert.equal(await figure(page, 'Duration'), duration(call.end - call.start, target.ticks_per_second));
    assert.equal(await figure(page, 'Depth'), String(call.depth));
    const caller = part.calls.find(
      (one) =>
        one.context === call.context &&
        one.depth === call.depth - 1 &&
        one.start <= call.start &&
        one.end >= call.end,
    );
    if (caller)
      assert.equal(await figure(page, 'of caller'), percent((call.end - call.start) / (caller.end - caller.start)));
    assert.deepEqual(await violations(page), []);
    quiet();
  });
}

testOfAll('the wheel zooms about the pointer, drag and shift-wheel move, 0 shows all, Back comes back', async (t) => {
  const part = await stretch();
  const page = await open(t, `#timeline?at=${part.from}-${part.to}`);
  await ready(page);
  const box = await canvas(page).boundingBox();
  const first = await sightOf(page);
  const under = (sight) => sight.from + 0.25 * (sight.to - sight.from);
  await page.mouse.move(box.x + box.width / 4, box.y + 150);
  await page.mouse.wheel(0, -200);
  const closer = await restOf(page, (now) => now.to - now.from < 0.8 * (first.to - first.from));
  assert.ok(Math.abs(under(closer) - under(first)) < 0.01 * (first.to - first.from));
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 150, { steps: 4 });
  await page.mouse.up();
  const size = closer.to - closer.from;
  const dragged = await restOf(page, (now) => Math.abs(now.from - (closer.from - size / 4)) < 0.03 * size);
  await page.keyboard.down('Shift');
  await page.mouse.wheel(0, 300);
  await page.keyboard.up('Shift');
  const moved = await restOf(page, (now) => now.from > dragged.from);
  await page.keyboard.press('0');
  await eventually(async () => assert.match(await hash(page), /at=all/));
  await page.goBack();
  await eventually(async () => assert.deepEqual(await sightOf(page), moved));
  quiet();
});

test('the overview moves the sight, and a double click fills it with a call', async (t) => {
  const part = await stretch();
  const call = longest(part.calls, part);
  const page = await open(t, `#timeline?at=${part.from}-${part.to}`);
  await ready(page);
  const { functions } = await snapshot();
  const spot = await eventually(async () => {
    const now = await spotOf(page, call, part); // the lanes may still move
    await canvas(page).hover({ position: { x: now.x + Math.random(), y: now.y } });
    assert.equal(await name(page), functions[call.fn].name);
    return now;
  });
  await canvas(page).dblclick({ position: spot });
  const zoomed = await eventually(async () => {
    const now = await sightOf(page);
    assert.ok(now.from <= call.start && now.to >= call.end && now.from > call.start - (call.end - call.start) - 8);
    return now;
  });
  const box = await head(page).boundingBox();
  await head(page).click({ position: { x: box.width * 0.9, y: 20 } });
  await eventually(async () => assert.ok((await sightOf(page)).from > zoomed.from));
  quiet();
});

testOfAll('keys alone walk from call to call, zoom, fold, and make a range of a call', async (t) => {
  const part = await stretch();
  const page = await open(t, `#timeline?at=${part.from}-${part.to}`);
  await ready(page);
  const { functions } = await snapshot();
  const names = new Set(part.calls.map(({ fn }) => functions[fn].name));
  await eventually(async () => {
    await page.keyboard.press('ArrowDown');
    assert.match(await text(page, '#timeline-spoken'), /, depth \d+$/);
  });
  await eventually(async () => assert.ok(names.has(await name(page)), await name(page)));
  await eventually(async () => assert.match(await hash(page), /call=\d+-\d+-\d+/));
  const where = await hash(page);
  await page.reload();
  await ready(page);
  await eventually(async () => assert.ok(names.has(await name(page))));
  await eventually(async () => assert.equal(await hash(page), where));
  const before = await sightOf(page);
  await page.keyboard.press('w');
  await eventually(async () => assert.ok((await sightOf(page)).to - (await sightOf(page)).from < before.to - before.from));
  await page.keyboard.press('z');
  await page.keyboard.press('a');
  const at = await eventually(async () => {
    const now = await hash(page);
    assert.match(now, /call=/);
    return Number(/call=\d+-\d+-(\d+)/.exec(now)[1]);
  });
  await page.keyboard.press('Enter');
  await eventually(async () => assert.match(await hash(page), new RegExp(`range=${at}-`)));
  await page.locator('.notice[data-id="range"]', { hasText: 'these calls only' }).waitFor();
  await page.keyboard.press('Backspace');
  await page.locator('.notice[data-id="range"]').waitFor({ state: 'hidden' });
  await page.keyboard.press('c');
  await page.locator('.lane-head[aria-expanded="false"]').waitFor();
  await page.keyboard.press('c');
  await eventually(async () => assert.equal(await page.locator('.lane-head[aria-expanded="false"]').count(), 0));
  quiet();
});

testOfAll('merged calls that were selected split when there is room: the first of them is selected then', needsMock, async (t) => {
  const own = await ownMock({ rounds: 300, live: false });
  const page = await open(t, '#timeline', { daemon: own.address, size: { width: 400, height: 800 } });
  await ready(page);
  await page.getByRole('button', { name: 'All', exact: true }).click();
  for (let depth = 0; depth < 4; depth++) await page.keyboard.press('ArrowDown');
  await eventually(async () => assert.match(await name(page), /calls, longest/));
  await eventually(async () => assert.match(await hash(page), /call=/));
  const first = (await hash(page)).match(/call=(\d+-\d+-\d+)/)[1];
  await eventually(async () => {
    await page.keyboard.press('w');
    assert.doesNotMatch(await name(page), /calls, longest/);
  });
  const part = await ask('timeline?max=100000', own.address);
  const [context, depth, start] = first.split('-').map(Number);
  const { functions } = await snapshot(own.address);
  const at = part.rows.start.findIndex((one, i) => one === start && part.rows.depth[i] === depth && part.rows.context[i] === context);
  assert.equal(await name(page), functions[part.rows.function[at]].name);
  quiet();
});

test('a key pressed before the first calls are painted chooses one and makes its row visible', async (t) => {
  const part = await stretch();
  const page = await open(t, '#functions', { size: { width: 1280, height: 420 } });
  await page.locator('.functions tbody th').first().waitFor();
  await page.evaluate((at) => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('.lane-head') === null) return;
      observer.disconnect();
      for (let i = 0; i < 40; i++)
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    });
    observer.observe(document.body, { childList: true, subtree: true });
    location.hash = `#timeline?at=${at}`;
  }, `${part.from}-${part.to}`);
  await eventually(async () => assert.match(await text(page, '#timeline-spoken'), /, depth \d+$/));
  await eventually(async () => assert.match(await hash(page), /call=/));
  const [context, depth] = /call=(\d+)-(\d+)/.exec(await hash(page)).slice(1).map(Number);
  await eventually(async () => {
    const { height } = await canvas(page).boundingBox();
    const { y } = await spotOf(page, { start: 0, end: 0, context, depth }, part);
    assert.ok(y > 0 && y < height, `row at ${y} of ${height}`);
  });
  quiet();
});

test('the timeline opens on rows with calls if those above are empty, and stays where it is scrolled to', async (t) => {
  const { newest } = await ask('timeline?max=1');
  const { target } = await snapshot();
  const page = await open(t, '#functions');
  await page.locator('.functions tbody th').first().waitFor();
  // From now on all calls are a hundred levels deeper than those before.
  await page.route('**/api/v1/timeline?*', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    const { start, depth } = answer.rows;
    answer.rows.depth = depth.map((level, i) => (start[i] > newest ? level + 100 : level));
    await route.fulfill({ response, json: answer });
  });
  const now = await eventually(async () => {
    mock()?.tick(); // do not wait for the mock's timer
    const one = (await ask('timeline?max=1')).newest;
    assert.ok(one > newest + target.ticks_per_second / 20);
    return one;
  });
  await page.evaluate((at) => {
    location.hash = at;
  }, `#timeline?at=${Math.round((newest + now) / 2)}-${now}`);
  await ready(page);
  const top = () => page.locator('.timeline-scroll').evaluate((one) => one.scrollTop);
  await eventually(async () => assert.ok((await top()) > 50 * 19, `${await top()}`));
  await page.locator('.timeline-scroll').evaluate((one) => {
    one.scrollTop = 0;
  });
  const rate = await page.locator('.rate').textContent();
  await eventually(async () => assert.notEqual(await page.locator('.rate').textContent(), rate));
  assert.equal(await top(), 0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  quiet();
});

testOfAll('shift-drag, a drag on the axis, and [ ] choose the range that every view shows', async (t) => {
  const part = await stretch();
  const page = await open(t, `#timeline?at=${part.from}-${part.to}`);
  await ready(page);
  const box = await canvas(page).boundingBox();
  const axis = await head(page).boundingBox();
  const range = async () => {
    const found = await eventually(async () => {
      const one = /range=(\d+)-(\d+)/.exec(await hash(page));
      assert.ok(one);
      return one;
    });
    return [Number(found[1]), Number(found[2])];
  };
  // A range around a call is not empty.
  const call = longest(part.calls, part);
  const shares = [call.start, call.end].map((edge) => (edge - part.from) / (part.to - part.from));
  const [left, right] = [Math.max(shares[0] - 0.03, 0.005), Math.min(shares[1] + 0.03, 0.995)];
  const expected = [left, right].map((share) => part.from + share * (part.to - part.from));
  const near = ([a, b]) =>
    [a, b].forEach((edge, i) => assert.ok(Math.abs(edge - expected[i]) < 0.02 * (part.to - part.from) + 1));
  const leave = async () => {
    await page.keyboard.press('Backspace');
    await eventually(async () => assert.doesNotMatch(await hash(page), /range=/));
  };
  const drag = async (y) => {
    await page.mouse.move(box.x + left * box.width, y);
    await page.mouse.down();
    await page.mouse.move(box.x + ((left + right) / 2) * box.width, y, { steps: 3 });
    await page.mouse.move(box.x + right * box.width, y);
    await page.mouse.up();
  };
  await page.keyboard.down('Shift');
  await drag(box.y + 100);
  await page.keyboard.up('Shift');
  near(await range());
  await leave();
  await drag(axis.y + 52);
  near(await range());
  await leave();
  for (const [share, key] of [
    [left, '['],
    [right, ']'],
  ]) {
    await page.mouse.move(box.x + share * box.width, box.y + 100);
    await page.keyboard.press(key);
  }
  const [from, to] = await range();
  near([from, to]);
  await page.locator('#tabs a[data-view="functions"]').click();
  await page.locator('.notice[data-id="range"]', { hasText: 'these calls only' }).waitFor();
  const { functions } = await ask(`snapshot?from=${from}&to=${to}`);
  const calls = functions.map((fn) => fn.calls ?? 0).sort((a, b) => b - a);
  await page.locator('.functions-table thead .col-calls button').click();
  await eventually(async () =>
    assert.equal(
      (await page.locator('.functions-table tbody tr:not(.spacer) .col-calls').first().innerText()).replaceAll(',', ''),
      String(calls[0]),
    ),
  );
  quiet();
});

testOfAll('following keeps the newest visible until the reader moves, and stands still while paused', async (t) => {
  const page = await open(t, '#timeline');
  await ready(page);
  await eventually(async () => assert.equal(await follow(page).getAttribute('aria-pressed'), 'true'));
  const extent = await text(page, '.timeline .extent');
  await eventually(async () => assert.notEqual(await text(page, '.timeline .extent'), extent));
  await page.keyboard.press('a');
  await eventually(async () => assert.equal(await follow(page).getAttribute('aria-pressed'), 'false'));
  await sightOf(page);
  await page.keyboard.press('f');
  await eventually(async () => assert.match(await hash(page), /at=live-\d+/));
  await eventually(async () => assert.equal(await follow(page).getAttribute('aria-pressed'), 'true'));
  const span = async () => Number(/at=live-(\d+)/.exec(await hash(page))?.[1] ?? NaN);
  const near = await span();
  const { x, y } = await canvas(page).boundingBox();
  await page.mouse.move(x + 300, y + 150);
  await page.mouse.wheel(0, 200);
  await eventually(async () => assert.ok((await span()) > 1.5 * near, `zooming out goes on following: ${near} ${await hash(page)}`));
  await page.mouse.wheel(0, -200);
  await eventually(async () => assert.equal(await follow(page).getAttribute('aria-pressed'), 'false', 'zooming in about the pointer does not'));
  await page.mouse.move(0, 0); // the next test has this tab, and no pointer on its calls
  await page.keyboard.press('f');
  await eventually(async () => assert.equal(await follow(page).getAttribute('aria-pressed'), 'true'));
  await page.keyboard.press(' ');
  await page.locator('[data-id="pause"]').waitFor();
  const wide = await text(page, '.timeline .extent');
  await page.keyboard.press('w');
  let still = wide;
  await eventually(async () => {
    const before = still;
    still = await text(page, '.timeline .extent');
    assert.ok(still !== wide && still === before, 'the sight has come to rest');
  });
  await eventually(async () => assert.match(await text(page, '[data-id="pause"]'), /\b([3-9]|\d{2,}) updates/));
  assert.equal((await text(page, '.timeline .extent')).split('·')[1], still.split('·')[1]);
  quiet();
});

testOfAll('matches of a search are walked in the order of time', async (t) => {
  const part = await stretch();
  const { functions } = await snapshot();
  const wanted = functions[longest(part.calls, part).fn].name;
  const page = await open(t, `#timeline?at=${part.from}-${part.to}`);
  await ready(page);
  await page.keyboard.press('/');
  await page.keyboard.type(exactly(wanted)); // a text may also be part of another function's file
  await page.keyboard.press('Enter');
  const chosen = () => eventually(async () => Number(/call=\d+-\d+-(\d+)/.exec(await hash(page))[1]));
  await eventually(async () => assert.ok((await name(page)).includes(wanted)));
  const first = await chosen();
  await eventually(async () => assert.match(await text(page, '#search-result'), /\d function/));
  await page.keyboard.press('Enter');
  await eventually(async () => assert.ok((await chosen()) >= first));
  await eventually(async () => assert.ok((await name(page)).toLowerCase().includes(wanted.toLowerCase())));
  quiet();
});

testOfAll('losses are hatched and counted; markers are met by m, each with a text', needsMock, async (t) => {
  const own = await ownMock({ rounds: 20, live: false });
  const { program } = own;
  program.timed.mark('reset', 'power on');
  program.timed.lose(3000, 340);
  program.run(10);
  program.timed.mark('message', '<b>net</b> is up');
  program.run(10);
  const page = await open(t, '#timeline?at=all', { daemon: own.address });
  await ready(page);
  const said = [];
  for (let i = 0; i < 3; i++) {
    await page.keyboard.press('m');
    said.push(await eventually(async () => {
      const now = await text(page, '#timeline-spoken');
      assert.ok(now !== '' && now !== said.at(-1));
      return now;
    }));
  }
  assert.match(said[0], /^Device reset: power on, at /);
  assert.match(said[1], /^Message: <b>net<\/b> is up, at /);
  assert.equal(said[2], 'No later marker');
  await page.keyboard.press('Shift+M');
  await eventually(async () => assert.match(await text(page, '#timeline-spoken'), /power on/));
  const [gap] = program.timed.gaps;
  await page.evaluate((at) => {
    location.hash = at;
  }, `#timeline?at=${gap.from - 3000}-${gap.to + 3000}`);
  await eventually(async () => {
    const box = await canvas(page).boundingBox();
    await canvas(page).hover({ position: { x: box.width / 2 + Math.random() * 9, y: box.height - 20 } });
    assert.equal(await name(page), '340 records lost');
  });
  await eventually(async () => assert.equal(await figure(page, 'Duration'), '3.00 ms'));
  await page.keyboard.press('0');
  await page.keyboard.press('x');
  await eventually(async () => assert.match(await text(page, '#timeline-spoken'), /^340 records lost, 3.00 ms, at /));
  await page.keyboard.press('Shift+G');
  await eventually(async () => assert.equal(await text(page, '#timeline-spoken'), 'No earlier gap'));
  quiet();
});

testOfAll('a dialect without a timeline, no calls yet, and a daemon that fails are each reported in a sentence', needsMock, async (t) => {
  const own = await ownMock({ rounds: 0, live: false });
  const page = await open(t, '#timeline', { daemon: own.address });
  await page.locator('.empty', { hasText: 'no calls yet' }).waitFor();
  own.set({ source: { dialect: 'gprof', dialect_provides: ['tree', 'arcs', 'samples'] } });
  await page.locator('.empty', { hasText: 'gprof adds up on the target' }).waitFor();
  own.set({ source: { dialect: 'miniprof', dialect_provides: ['tree', 'timeline'] } });
  await page.route('**/api/v1/timeline?*', (route) =>
    route.fulfill({ status: 503, json: { title: 'Busy', detail: 'Out of breath' } }),
  );
  own.program.run(5);
  own.publish();
  await page.locator('.empty', { hasText: 'Out of breath' }).waitFor();
  await page.unroute('**/api/v1/timeline?*');
  await ready(page);
  quiet(/status of 503/);
});

testOfAll('many calls pan and zoom without asking for more than a screen shows', needsMock, async (t) => {
  const own = await ownMock({ rounds: 1000, live: false });
  const page = await open(t, '#timeline?at=all', { daemon: own.address });
  await ready(page);
  own.asked.length = 0;
  await canvas(page).hover();
  for (let i = 0; i < 20; i++) await page.mouse.wheel(0, i % 2 ? -120 : 60);
  await sightOf(page);
  const asked = own.asked.filter((url) => url.includes('/api/v1/timeline')); // without requests for the page's files
  assert.ok(asked.length < 30, `${asked.length} requests`);
  for (const url of asked) {
    assert.ok(Number(/max=(\d+)/.exec(url)[1]) <= 100000);
    assert.match(url, /from=\d+&to=\d+$|max=\d+$/);
  }
  quiet();
});

testOfAll('a range dragged while following begins at the time that was touched, and stays visible', needsMock, async (t) => {
  const own = await ownMock({ rounds: 200, live: false });
  const page = await open(t, '#timeline?at=live-20000', { daemon: own.address });
  await ready(page);
  const axis = await head(page).boundingBox();
  const at = (share) => [axis.x + share * axis.width, axis.y + 52];
  await eventually(async () => assert.equal(await follow(page).getAttribute('aria-pressed'), 'true'));
  await page.mouse.move(...at(0.6));
  await page.mouse.down();
  const before = own.program.timed.newest;
  const extent = await text(page, '.timeline .extent');
  own.program.run(1);
  own.publish();
  const moved = own.program.timed.newest - before;
  await eventually(async () => assert.notEqual(await text(page, '.timeline .extent'), extent));
  await eventually(async () => assert.ok(own.asked.filter((url) => url.includes('timeline?')).length > 3));
  await page.mouse.move(...at(0.7), { steps: 3 });
  await eventually(async () => assert.equal(await follow(page).getAttribute('aria-pressed'), 'false'));
  own.program.run(40);
  own.publish();
  await page.mouse.move(...at(0.8), { steps: 3 });
  await page.mouse.up();
  const [, from, to] = await eventually(async () => {
    const found = /at=(\d+)-(\d+).*range|range.*at=(\d+)-(\d+)/.exec(await hash(page));
    assert.ok(found);
    return found[1] === undefined ? [0, Number(found[3]), Number(found[4])] : found.map(Number);
  });
  const [, begin, end] = /range=(\d+)-(\d+)/.exec(await hash(page)).map(Number);
  const near = (one, other) => assert.ok(Math.abs(one - other) < 300, `${one}, ${other}, of ${from}-${to}, moved ${moved}`);
  near(begin, before + 400 - 0.4 * 20000);
  near(end, from + 0.8 * (to - from));
  quiet();
});

testOfAll('parts outside the view are legible in the overview, in either theme', needsMock, async (t) => {
  const own = await ownMock({ rounds: 200, live: false });
  const { oldest, newest } = await ask('timeline?max=1', own.address);
  for (const theme of ['light', 'dark']) {
    const page = await open(t, `#timeline?at=${Math.round((oldest + 19 * newest) / 20)}-${newest}`, { daemon: own.address, theme });
    // The darkest tenth is the load, the lightest tenth the background.
    await eventually(async () => {
      const contrast = await head(page).evaluate((canvas) => {
        const { data } = canvas.getContext('2d').getImageData(0, 12, canvas.width / 2, 20);
        const linear = (x) => (x <= 10 ? x / 3295 : ((x / 255 + 0.055) / 1.055) ** 2.4);
        const luminances = Array.from({ length: data.length / 4 }, (_, i) => 0.2126 * linear(data[4 * i]) + 0.7152 * linear(data[4 * i + 1]) + 0.0722 * linear(data[4 * i + 2])).sort((a, b) => a - b);
        const [low, high] = [0.1, 0.9].map((share) => luminances[Math.floor(share * luminances.length)]);
        return (high + 0.05) / (low + 0.05);
      });
      assert.ok(contrast > 1.4, `${theme}: ${contrast}`);
    });
  }
  quiet();
});

testOfAll('one key leads to the longest visible call, also where that is merged with others', needsMock, async (t) => {
  const own = await ownMock({ rounds: 20000, live: false });
  const page = await open(t, '#timeline?at=all', { daemon: own.address });
  await page.locator('.timeline .toolbar [aria-pressed="true"]', { hasText: 'All' }).waitFor();
  const { rows } = await ask('timeline?max=12000', own.address);
  assert.ok(rows.calls.some((n) => n > 1), 'calls are merged');
  await page.keyboard.press('o');
  await eventually(async () => assert.match(await hash(page), /call=/));
  const { functions, target } = await snapshot(own.address);
  const excess = ({ fn, duration: took }) => took - (functions[fn].p50_ticks ?? 0);
  const [first] = own.program.timed.list.filter(({ fn }) => functions[fn].kind !== 'placeholder').sort((one, other) => excess(other) - excess(one));
  assert.equal(await name(page), functions[first.fn].name);
  assert.equal(await figure(page, 'Duration'), duration(first.duration, target.ticks_per_second));
  quiet();
});

testOfAll('a call that has ended is not reported as running', needsMock, async (t) => {
  const own = await ownMock({ rounds: 30, live: false });
  const rowOf = own.program.functionRow.bind(own.program);
  own.program.functionRow = (id) => ({ ...rowOf(id), ...(id > 0 ? { running: 1 } : {}) }); // as in a snapshot between entry and return
  const page = await open(t, '#timeline', { daemon: own.address });
  await ready(page);
  await page.keyboard.press('ArrowRight');
  await eventually(async () => assert.doesNotMatch(await name(page), /Nothing selected|running/));
  assert.equal(await page.locator('.timeline .detail-note').isVisible(), false);
  quiet();
});

testOfAll('the key to the longest call needs no new answer if the calls are loaded, and the line below shows that call', needsMock, async (t) => {
  const own = await ownMock({ rounds: 5000, live: false });
  const page = await open(t, '#timeline?at=all&search=memcpy', { daemon: own.address });
  await page.locator('.timeline .toolbar [aria-pressed="true"]', { hasText: 'All' }).waitFor();
  const call = async () => /call=[\d-]+/.exec(await hash(page))?.[0];
  await eventually(async () => assert.match(await text(page, '#search-result'), /\d function/));
  await page.keyboard.press('o');
  await eventually(async () => assert.equal(await name(page), 'memcpy'));
  const took = await figure(page, 'Duration');
  const { target } = await snapshot(own.address);
  const isIt = (one) => own.program.functions[one.fn].name === 'memcpy' && duration(one.duration, target.ticks_per_second) === took;
  const all = own.program.timed.list.filter(isIt).map(({ context, depth, start }) => `call=${context}-${depth}-${start}`);
  await eventually(async () => assert.ok(all.includes(await call()))); // the address follows later: before, it names the merged calls
  const longest = await call();
  await page.route('**/api/v1/timeline?*', () => {}); // no further answers
  await page.keyboard.press('ArrowUp');
  await eventually(async () => assert.notEqual(await call(), longest));
  await page.keyboard.press('0');
  await eventually(async () => assert.match(await hash(page), /at=all/));
  const box = await canvas(page).boundingBox();
  await page.mouse.move(box.x + box.width / 3, box.y + 42);
  await eventually(async () => assert.match(await name(page), /^\d+ calls/));
  await page.keyboard.press('o');
  await eventually(async () => assert.equal(await call(), longest));
  // A merged mark may begin with that very call, so the address alone does not say that the call is selected.
  await eventually(async () => assert.deepEqual(await nameAndDuration(page), ['memcpy', took]));
  quiet();
});

testOfAll('two fingers zoom the timeline about the point between them, and move nothing', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, live: false });
  const page = await open(t, '#timeline?at=all', { daemon: own.address });
  await ready(page);
  const { oldest, newest } = await ask('timeline?max=1', own.address);
  await canvas(page).evaluate((surface) => {
    const box = surface.getBoundingClientRect();
    const send = (type, pointerId, x) =>
      surface.dispatchEvent(new PointerEvent(type, { pointerId, pointerType: 'touch', isPrimary: pointerId === 1, bubbles: true, button: 0, buttons: 1, clientX: box.left + x * box.width, clientY: box.top + 40 }));
    send('pointerdown', 1, 0.45);
    send('pointerdown', 2, 0.55);
    send('pointermove', 1, 0.3);
    send('pointermove', 2, 0.7);
    send('pointerup', 1, 0.3);
    send('pointerup', 2, 0.7);
  });
  const { from, to } = await sightOf(page);
  const share = (to - from) / (newest - oldest);
  assert.ok(share > 0.2 && share < 0.32, `a quarter is visible: ${share}`);
  const middle = ((from + to) / 2 - oldest) / (newest - oldest);
  assert.ok(middle > 0.4 && middle < 0.6, `about the middle: ${middle}`);
  quiet();
});

testOfAll('the five worst calls are marked in the overview, and each mark has its name, how slow it was, and leads to it', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, live: false });
  const { list, oldest } = own.program.timed;
  const newest = Math.max(...list.map(({ start, duration: long }) => start + long));
  const leaf = list.filter(({ depth }) => depth > 0);
  const slow = Array.from({ length: 8 }, (_, i) => leaf[Math.floor(((i + 1) * leaf.length) / 10)]);
  slow.forEach((call, i) => (call.duration = 3000 + 100 * i));
  const page = await open(t, '#timeline?at=all', { daemon: own.address });
  await ready(page);
  const box = await head(page).boundingBox();
  const tip = page.locator('.tip:not([hidden])', { hasText: 'of the worst' });
  const x = box.x + ((slow[7].start + slow[7].duration / 2 - oldest) / (newest - oldest)) * box.width;
  await page.mouse.move(x, box.y + 8);
  await tip.filter({ hasText: 'number 1 of the worst 5' }).waitFor();
  const { functions } = own.program;
  assert.match(await tip.innerText(), new RegExp(`\\s3\\.7\\d* ms; half of its calls take up to`));
  await page.mouse.click(x, box.y + 8);
  await eventually(async () => assert.equal(await name(page), functions[slow[7].fn].name));
  const { from, to } = await sightOf(page);
  assert.ok(from <= slow[7].start && to >= slow[7].start + slow[7].duration);
  quiet();
});
