// small.test.mjs - every view in windows of many sizes: tabs can be hit, nothing is cut off at the side, and most of the height is data.

import assert from 'node:assert/strict';

import { eventually, filled, needsMock, open, ownMock, pause, quiet, show, shown, testOfAll, text, viewIds, violations } from './support.mjs';

/** `most`: the most pixels above the data; `least`: the least share of the height that is data. */
const large = [
  { width: 1440, height: 900, most: 76, least: 0.7 },
  { width: 720, height: 450, most: 76, least: 0.55 }, // 1440 × 900 at a zoom of 200 %
];
const small = [
  { width: 390, height: 844, most: 150, least: 0.4 },
  { width: 390, height: 664, most: 150, least: 0.4 },
  { width: 360, height: 640, most: 150, least: 0.4 },
];
/** Further pixels above the data of a view: filters and column headings; in Compare the two profiles and the verdict. */
const more = { messages: 38, source: 68, compare: 125 };
const flame = { first: '.flame-scroll canvas', area: '.flame-body' }; // includes the list
const table = { below: 'thead th', area: '.table-scroll' };
const source = { below: '.source-half[data-current] thead th', area: '.source-half[data-current] .table-scroll' };
/** Selectors: the data begins at `first`, or right below `below`; `area` contains all of it. */
const overview = { first: '.overview-body', area: '.overview-body' };
const parts = {
  overview,
  flame,
  timeline: { first: '.timeline-head canvas', area: '.timeline-body' },
  graph: { first: '.graph-svg', area: '.graph-body' },
  source,
  compare: { ...flame, area: '.flame-body, .table-scroll' }, // includes the table below a shallow graph
};
const places = { source: '#source?fn=tcp_output', graph: '#graph?fn=tcp_output' };

const measure = (page, view) =>
  page.evaluate(({ first, below, area }) => {
    const view = document.querySelector('.view:not([hidden])');
    const boxOf = (part) => (view.matches(part) ? view : view.querySelector(part)).getBoundingClientRect();
    const told = [...document.querySelectorAll('#notices .notice')].reduce((sum, line) => sum + line.offsetHeight, 0); // a busy machine may report losses
    const top = (first ? boxOf(first).top : boxOf(below).bottom) - told;
    const bottom = Math.max(...[view, ...view.querySelectorAll(area)].filter((part) => part.matches(area)).map((part) => part.getBoundingClientRect().bottom));
    const row = document.getElementById('tabs');
    const tabs = [...row.children].map((tab) => tab.getBoundingClientRect());
    const { scrollWidth, scrollHeight } = document.documentElement;
    const [chosen, room] = [row.querySelector('[aria-current]'), row].map((part) => part.getBoundingClientRect());
    const isReached = (button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      return width === 0 || button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    };
    return {
      covered: [...view.querySelectorAll('.source-bar button')].filter((button) => !isReached(button)).map((button) => button.textContent || button.title),
      top,
      share: (Math.min(bottom, innerHeight) - told - top) / innerHeight,
      over: [scrollWidth - innerWidth, scrollHeight - innerHeight, view.scrollWidth - view.clientWidth],
      hidden: Math.max(room.left - chosen.left, chosen.right - room.right, 0),
      tab: Math.min(...tabs.flatMap(({ width, height }) => [width, height])),
      row: row.clientWidth,
    };
  }, { ...table, ...parts[view] });

async function hold(page, view, { width, height, most: usual, least }) {
  const at = `${view} in ${width} × ${height}`;
  const most = usual + (more[view] ?? 0);
  await page.setViewportSize({ width, height });
  await page.evaluate(() => new Promise(requestAnimationFrame)); // the page has handled the new window size
  await eventually(async () => {
    const { covered, top, share, over, hidden, tab, row } = await measure(page, view);
    assert.deepEqual(over, [0, 0, 0], `${at} is cut off`);
    assert.deepEqual(covered, [], `${at}: each button can be reached`);
    assert.ok(hidden <= 1, `${at}: ${hidden} px of its tab are out of sight`);
    assert.ok(tab >= 24, `${at}: a tab is ${tab} px`);
    assert.ok(row >= 160, `${at}: tabs have ${row} px`);
    assert.ok(top > 0 && top <= most, `${at} begins at ${top} px`);
    assert.ok(share >= least, `${at}: ${Math.round(100 * share)} % is data`);
  });
}

testOfAll('in every view and window most of the height is data, also while it is paused, and tabs can be hit', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, tasks: true, checkpoints: true, messages: 200 });
  own.set({ target: { buffer_overflows: 12 }, link: { crc_errors: 7, records_lost: 340 } });
  for (const [sizes, hasTouch] of [[large, false], [small, true]]) {
    const page = await open(t, '#compare', { daemon: own.address, size: sizes[0], hasTouch });
    await filled(page);
    await page.keyboard.press('m');
    await page.locator('.compare .flame-main').waitFor();
    for (const isPaused of [false, true]) {
      if (isPaused) await pause(page);
      for (const view of await viewIds(page)) {
        await show(page, places[view] ?? `#${view}`);
        const { area } = parts[view] ?? table;
        await page.locator(`.view:not([hidden]) ${area}, .view${area}:not([hidden])`).first().waitFor();
        for (const size of sizes) await hold(page, view, size);
      }
    }
  }
  quiet();
});

testOfAll('the search text and its results have room in every window, and cover no button', needsMock, async (t) => {
  const page = await open(t, '#flame?search=fusion', { size: large[0] });
  for (const { width, height } of [...large, { width: 1100, height: 800 }, { width: 650, height: 700 }, ...small]) {
    await page.setViewportSize({ width, height });
    await eventually(async () => assert.match(await text(page, '#search-result'), /%/));
    const { field, found, button } = await page.evaluate(() => {
      const boxOf = (part) => document.querySelector(part).getBoundingClientRect().toJSON();
      return { field: boxOf('#search-text'), found: boxOf('#search-result'), button: boxOf('#share .button') };
    });
    assert.ok(found.left >= field.left + 50 && found.right <= field.right, `${width} px: “${found.left}” is in the field from ${field.left}`);
    assert.ok(field.right <= button.left || button.bottom <= field.top || field.bottom <= button.top, `${width} px: the field covers a button`);
  }
  quiet();
});

testOfAll('a table names the columns beyond its edge, in every view that has one', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, tasks: true, checkpoints: true, live: false });
  const page = await open(t, '#functions', { daemon: own.address, size: { width: 720, height: 450 } });
  for (const view of ['functions', 'tasks', 'checkpoints']) {
    await show(page, `#${view}`);
    // Columns that come with an answer would move the others.
    if (view === 'tasks') for (const column of ['curve', 'ready']) await page.locator(`.tasks thead .col-${column}`).waitFor({ state: 'attached' });
    const beyond = page.locator('.view:not([hidden]) .beyond');
    await beyond.waitFor();
    // No column of figures is cut off: the visible part of 85.7 could read as 85.
    await eventually(async () => assert.deepEqual(await page.evaluate(() => {
      const scroller = document.querySelector('.view:not([hidden]) .table-scroll');
      const table = scroller.querySelector('table');
      const edge = scroller.scrollLeft + scroller.clientWidth;
      const shownTo = Number(/([\d.]+)px/.exec(getComputedStyle(table).maskImage)?.[1] ?? Infinity);
      const cut = [...table.querySelectorAll('thead th')].filter((head) => head.offsetLeft < edge - 1 && head.offsetLeft + head.offsetWidth > edge + 1 && getComputedStyle(head).textAlign === 'right');
      return cut.filter((head) => head.offsetLeft < shownTo).map((head) => head.textContent);
    }), [], view));
    // Those before it take its space, so that lines between rows end at the edge.
    if (view !== 'checkpoints')
      assert.ok(await page.evaluate(() => {
        const scroller = document.querySelector('.view:not([hidden]) .table-scroll');
        const shown = [...scroller.querySelectorAll('thead th')].filter((head) => head.offsetLeft + head.offsetWidth <= scroller.clientWidth + 1);
        return scroller.clientWidth - Math.max(...shown.map((head) => head.offsetLeft + head.offsetWidth)) < 2;
      }), view);
    await beyond.click();
    const last = page.locator('.view:not([hidden]) thead th:visible').last();
    await eventually(async () => {
      const { x, width } = await last.boundingBox();
      assert.ok(x + width <= 721, `${view}: the last column is visible`);
    });
    await beyond.waitFor({ state: 'hidden' });
  }
  quiet();
});

testOfAll('in a narrow window tabs are at the foot, the search takes the line while it is used, and the panel fits', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60 });
  own.set({ target: { buffer_overflows: 12 }, link: { crc_errors: 7, records_lost: 340 } });
  const page = await open(t, '#flame', { daemon: own.address, size: { width: 360, height: 640 }, hasTouch: true });
  const tabs = page.locator('#tabs');
  await eventually(async () => {
    const { y, height } = await tabs.boundingBox();
    assert.equal(y + height, 640);
  });
  const search = page.locator('#search');
  const narrow = (await search.boundingBox()).width;
  await page.keyboard.press('/');
  await eventually(async () => assert.ok((await search.boundingBox()).width > narrow + 60));
  await page.keyboard.press('Escape');
  await page.locator('#connection').click();
  await page.locator('.link-view').waitFor();
  const panel = await page.locator('#panel').boundingBox();
  assert.ok(panel.x >= 0 && panel.x + panel.width <= 360 && panel.y + panel.height <= (await tabs.boundingBox()).y, 'between header and tabs');
  assert.equal(await page.locator('#panel').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  assert.deepEqual(await violations(page), []);
  quiet();
});
