// source.test.mjs - the Source view: lines beside instructions, by mouse and by keys, and its text when there is
// nothing to show.

import assert from 'node:assert/strict';

import {
  ask,
  eventually,
  hash,
  leave,
  needsMock,
  open,
  ownMock,
  quiet,
  snapshot,
  test,
  testOfAll,
  text,
  violationsInBothThemes,
} from './support.mjs';

const lines = '.source-source tbody tr:not(.spacer):not([hidden])';
const code = '.source-code tbody tr:not(.spacer):not([hidden])';
const address = (fn, more = '') => `#source?fn=${encodeURIComponent(fn)}${more}`;
const shown = (page) => page.locator(`${code} th`).first().waitFor();

let found = null;

/**
 * Returns the daemon's answer for a function with source that calls another function of the profile directly. Prefers
 * one whose instructions are all visible without scrolling, then the shortest.
 */
async function caller() {
  if (found !== null) return found;
  const { functions } = await snapshot();
  for (const { id } of functions.filter((fn) => fn.address && /^\w+$/.test(fn.name))) {
    const answer = await ask(`functions/${id}/source`);
    const call = answer.instructions.find(
      (row) =>
        row.literal === null &&
        !row.data &&
        row.line &&
        row.file === answer.own_file &&
        ![null, undefined, id].includes(row.target?.function),
    );
    if (!call || !answer.available.source || !answer.lines.some((row) => row.line === call.line)) continue;
    if (found === null || answer.instructions.length < found.answer.instructions.length) found = { answer, call };
    if (answer.instructions.length <= 24) break;
  }
  if (found === null) throw new Error('no function calls another directly');
  return found;
}

test('a function chosen in Functions and in Flame is shown with its source', async (t) => {
  const { answer } = await caller();
  const page = await open(t, `#functions?fn=${encodeURIComponent(answer.name)}`);
  await page.locator('.sandwich-name', { hasText: answer.name }).waitFor();
  await page.keyboard.press('s');
  await shown(page);
  await eventually(async () => assert.ok((await hash(page)).startsWith(`#source?fn=${answer.name}`)));
  const first = answer.lines[0];
  await eventually(async () => {
    assert.equal(await text(page, `${lines} th`), String(first.line));
    assert.equal((await text(page, `${lines} .col-text`)).trim(), first.text.trim());
    assert.equal(await text(page, '.source-place'), `${answer.file}:${answer.line}`);
  });
  const addresses = await page.locator(`${code} th`).allInnerTexts();
  assert.equal(Number(`0x${addresses[0]}`), Number(answer.instructions[0].address));
  assert.match(
    await text(page, '.table-status:visible'),
    new RegExp(`${answer.instructions.length} instructions`),
  );

  await page.goto(`${page.url().split('#')[0]}#flame?search=${encodeURIComponent(`/^${answer.name}$/`)}`);
  await eventually(async () => assert.match(await text(page, '#search-result'), /· 1 function$/)); // before that there is no next match
  await page.locator('.flame-scroll canvas').focus();
  await page.keyboard.press('n');
  await eventually(async () => assert.equal(await text(page, '.detail-name'), answer.name));
  await page.locator('.detail-acts button', { hasText: 'Source' }).click();
  await eventually(async () => assert.match(await hash(page), new RegExp(`^#source\\?.*fn=${answer.name}`)));
  await shown(page);
  quiet();
});

testOfAll('a line and its instructions are marked together, whichever is pointed at or chosen', async (t) => {
  const { answer, call } = await caller();
  const page = await open(t, address(answer.name));
  await shown(page);
  const row = page
    .locator(lines, { has: page.locator('th', { hasText: new RegExp(`^${call.line}$`) }) })
    .first();
  const of = answer.instructions.filter((one) => one.line === call.line && one.file === answer.own_file);
  await row.hover();
  await eventually(async () => assert.equal(await page.locator(`${code}[data-near]`).count(), of.length));
  await row.click();
  await eventually(async () => assert.equal(await page.locator(`${code}[data-linked]`).count(), of.length));
  await eventually(async () => {
    assert.equal(await row.getAttribute('aria-selected'), 'true');
    assert.match(await hash(page), new RegExp(`row=${call.line}(&|$)`));
    assert.equal(await text(page, '.source-place'), `${answer.file}:${call.line}`);
  });
  const at = Number(call.address).toString(16);
  await page
    .locator(code, { has: page.locator('th', { hasText: at }) })
    .locator('th button')
    .click();
  await eventually(async () => assert.match(await hash(page), new RegExp(`row=${call.address}`)));
  await eventually(async () =>
    assert.equal(await row.getAttribute('aria-selected'), 'true', 'the line stays the one'),
  );
  quiet();
});

testOfAll('a call leads to the function called, and Back back', async (t) => {
  const { answer, call } = await caller();
  const page = await open(t, address(answer.name));
  await shown(page);
  await page.locator('a.source-target', { hasText: call.target.name }).first().click();
  await eventually(async () =>
    assert.equal(await page.locator('.chooser input').inputValue(), call.target.name),
  );
  await eventually(async () =>
    assert.equal(Number(`0x${await text(page, `${code} th`)}`), Number(call.target.address)),
  );
  await page.goBack();
  await eventually(async () => assert.equal(await page.locator('.chooser input').inputValue(), answer.name));
  quiet();
});

test('everything works by keys alone', async (t) => {
  const { answer, call } = await caller();
  const page = await open(t, '#source');
  await page.locator('.offer-list li').first().waitFor();
  await page.keyboard.press('c');
  await page.keyboard.type(`/^${answer.name}$/`);
  await page.keyboard.press('Enter');
  await shown(page);
  await eventually(async () => assert.equal(await page.locator('.chooser input').inputValue(), answer.name));
  await page.keyboard.press('ArrowDown');
  await eventually(async () =>
    assert.match(await hash(page), new RegExp(`row=${answer.lines[0].line}(&|$)`)),
  );
  await page.keyboard.press('ArrowDown');
  await eventually(async () =>
    assert.match(await hash(page), new RegExp(`row=${answer.lines[1].line}(&|$)`)),
  );
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('End');
  await eventually(async () =>
    assert.match(await hash(page), new RegExp(`row=${answer.instructions.at(-1).address}&pane=code`)),
  );
  await page.keyboard.press('Home');
  await eventually(async () =>
    assert.match(await hash(page), new RegExp(`row=${answer.instructions[0].address}`)),
  );
  for (let i = answer.instructions.indexOf(call); i > 0; i--) await page.keyboard.press('ArrowDown');
  await eventually(async () => assert.match(await hash(page), new RegExp(`row=${call.address}`)));
  await page.keyboard.press('Enter');
  await eventually(async () =>
    assert.equal(await page.locator('.chooser input').inputValue(), call.target.name),
  );
  await page.keyboard.press('Escape');
  await page.locator('.offer-list li').first().waitFor();
  quiet();
});

test('the editor is chosen once; the link contains path and line', async (t) => {
  const { answer, call } = await caller();
  const page = await open(t, address(answer.name, `&row=${call.line}`), {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await shown(page);
  await page.keyboard.press('o');
  await page.locator('[role="menuitem"]', { hasText: 'VSCodium' }).click();
  const link = page.locator('.source-open');
  const wanted = `vscodium://file${answer.path.split('/').map(encodeURIComponent).join('/')}:${call.line}`;
  await eventually(async () => assert.equal(await link.getAttribute('href'), wanted));
  await page.reload();
  await shown(page);
  await eventually(async () => assert.equal(await link.getAttribute('href'), wanted));
  await page.evaluate(() => {
    globalThis.opened = '';
    document.querySelector('.source-open').addEventListener('click', (event) => {
      event.preventDefault();
      globalThis.opened = event.currentTarget.href;
    });
  });
  await page.keyboard.press('o');
  await eventually(async () => assert.equal(await page.evaluate(() => globalThis.opened), wanted));
  await page.keyboard.press('y');
  await eventually(async () =>
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${answer.path}:${call.line}`),
  );
  await page.keyboard.press('Shift+O');
  await page.locator('[role="menuitem"]', { hasText: 'Another' }).click();
  const template = page.locator('#editor-template');
  await template.fill('javascript:alert({path})');
  await page.keyboard.press('Enter');
  await eventually(async () => assert.match(await text(page, '.editor-trouble'), /run in the page/));
  await template.fill('edit://x?p={path}&l={line}');
  await page.keyboard.press('Enter');
  await eventually(async () =>
    assert.match(await link.getAttribute('href'), new RegExp(`^edit://x\\?p=/.*&l=${call.line}$`)),
  );
  quiet();
});

testOfAll('a search marks the rows it matches, and n goes from one to the next', async (t) => {
  const { answer, call } = await caller();
  const page = await open(t, address(answer.name, '&pane=code'));
  await shown(page);
  await page.keyboard.press('/');
  await page.keyboard.type(call.target.name);
  const found = answer.instructions.filter((row) =>
    `${row.text} ${row.target?.name ?? ''}`.includes(call.target.name),
  );
  await eventually(async () => assert.equal(await page.locator(`${code}[data-found]`).count(), found.length));
  await page.keyboard.press('Enter');
  await eventually(async () => assert.match(await hash(page), new RegExp(`row=${found[0].address}`)));
  quiet();
});

testOfAll('a search chooses among the functions while none is chosen, and Enter opens the hottest', async (t) => {
  const { answer } = await caller();
  const page = await open(t, '#source');
  const names = () => page.locator('.offer-list .mono').allInnerTexts();
  await eventually(async () => assert.ok((await names()).length > 3));
  await page.keyboard.press('/');
  await page.keyboard.type(`/^${answer.name}$/`);
  await eventually(async () => assert.deepEqual(await names(), [answer.name]));
  await eventually(async () => assert.equal(await text(page, '#search-result'), '1 function'));
  await page.keyboard.press('Enter');
  await eventually(async () => assert.match(await hash(page), new RegExp(`fn=${answer.name}(&|$)`)));
  quiet();
});

testOfAll('axe-core finds nothing wrong with it, in both themes', needsMock, async (t) => {
  const { answer, call } = await caller();
  for (const at of [address(answer.name, `&row=${call.line}`), '#source']) {
    const page = await open(t, at);
    await page
      .locator(at === '#source' ? '.offer-list li' : code)
      .first()
      .waitFor();
    assert.deepEqual(await violationsInBothThemes(page), [], at);
    await leave(page);
  }
  quiet();
});

testOfAll('a narrow window shows one half at a time', async (t) => {
  const { answer } = await caller();
  const page = await open(t, address(answer.name), { size: { width: 390, height: 844 } });
  await page.locator(`${lines} th`).first().waitFor();
  assert.equal(await page.locator('.source-code').isVisible(), false);
  await page.locator('.source-switch button', { hasText: 'Instructions' }).click();
  await shown(page);
  assert.equal(await page.locator('.source-source').isVisible(), false);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  quiet();
});

testOfAll('the reason is shown when source cannot be shown', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, live: false });
  const notes = async (page) => (await page.locator('.source-note:visible').allInnerTexts()).join(' | ');
  let page = null;
  const see = async (fn, words, change = (answer) => answer) => {
    own.changeSource = change;
    if (page) await leave(page);
    page = await open(t, address(fn), { daemon: own.address });
    await eventually(async () => assert.match(await notes(page), words));
  };
  await see('sqrtf', /compile its file with -g/);
  await eventually(async () =>
    assert.ok((await page.locator(code).count()) > 5, 'the instructions are there all the same'),
  );
  const { width } = await page.locator('.source-code').boundingBox();
  assert.ok(width > 1200, `the instructions have all the room: ${width}`);
  await page.keyboard.press('ArrowDown');
  await eventually(async () => assert.match(await hash(page), /row=0x/));
  await page.setViewportSize({ width: 390, height: 844 });
  await eventually(async () =>
    assert.ok(await page.locator('.source-code').isVisible(), 'a narrow window shows them, too'),
  );
  assert.equal(await page.locator('.source-switch').isVisible(), false);
  await see('[depth 0 running]', /no place of its own/);
  assert.equal(await page.locator('.source-half:visible').count(), 1, 'said once');
  await see('tcp_output', /No such file.*--source-path/, (answer) => ({
    ...answer,
    available: { source: false, disassembly: true },
    reason: {
      source: 'tcp.c cannot be read: No such file or directory. --source-path FROM=TO',
      disassembly: null,
    },
    lines: answer.lines.filter((row) => row.instructions > 0).map((row) => ({ ...row, text: null })),
  }));
  assert.ok((await page.locator(lines).count()) > 3, 'lines are there without their text');
  await see('tcp_output', /tcp\.c changed after the ELF was linked/, (answer) => ({
    ...answer,
    files: answer.files.map((file) => ({ ...file, changed: file.file.endsWith('tcp.c') })),
  }));
  await see('tcp_output', /12,345 more bytes of code are not shown/, (answer) => ({
    ...answer,
    left_out: 12345,
  }));
  page = await open(t, address('gone_since'), { daemon: own.address });
  await eventually(async () => assert.match(await text(page, '.offer h2'), /no function “gone_since”/));
  quiet();
});

testOfAll('samples have a column where there are any, and n goes to the hottest', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, live: false });
  let page = await open(t, address('json_parse_value'), { daemon: own.address });
  await shown(page);
  assert.equal(await page.locator('.col-samples').count(), 0);
  own.samples = { hz: 1000, total: 100 };
  page = await open(t, address('json_parse_value'), { daemon: own.address });
  await shown(page);
  const { id } = own.program.functions.find((fn) => fn.name === 'json_parse_value');
  const answer = await ask(`functions/${id}/source`, own.address);
  const hot = [...answer.lines].sort((a, b) => b.samples - a.samples)[0];
  await page.keyboard.press('n');
  await eventually(async () => assert.match(await hash(page), new RegExp(`row=${hot.line}(&|$)`)));
  const row = page.locator(`${lines}[aria-selected="true"]`);
  assert.equal(
    Number(await row.locator('.col-samples').innerText()),
    Number(hot.samples.toFixed(hot.samples < 10 ? 1 : 0)),
  );
  quiet();
});

testOfAll('a function of thousands of instructions keeps the page short', needsMock, async (t) => {
  const own = await ownMock({ rounds: 20, live: false });
  own.changeSource = (answer) => ({
    ...answer,
    instructions: Array.from({ length: 16384 }, (_, i) => ({
      ...answer.instructions[0],
      address: `0x${(0x08000000 + 2 * i).toString(16).padStart(8, '0')}`,
    })),
  });
  const page = await open(t, address('tcp_output', '&pane=code'), { daemon: own.address });
  await shown(page);
  assert.ok((await page.locator('.source-code tbody tr').count()) < 150);
  await page.keyboard.press('End');
  await eventually(async () => assert.match(await hash(page), /row=0x08007ffe/));
  await eventually(async () =>
    assert.equal(await page.locator(`${code}[aria-selected="true"] th`).innerText(), '8007ffe'),
  );
  quiet();
});

test('names and text from files are text', needsMock, async (t) => {
  const page = await open(t, address('<img src=x onerror=alert(1)>'));
  await shown(page);
  assert.equal(await page.locator('.source img').count(), 0);
  await eventually(async () =>
    assert.match((await page.locator(`${lines} .col-text`).allInnerTexts()).join('\n'), /<b>not<\/b>/),
  );
  quiet();
});
