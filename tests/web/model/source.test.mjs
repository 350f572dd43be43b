// Lines lead to their instructions and back; links to editors open the given line.

import assert from 'node:assert/strict';
import test from 'node:test';

import { editorLink, editors, templateTrouble } from '../../../webroot/js/model/editor.js';
import { matcher } from '../../../webroot/js/model/search.js';
import { hottest, Listing, sampleText } from '../../../webroot/js/model/source.js';

const instruction = (address, text, file, line, more = {}) => ({
  address,
  bytes: '0000',
  text,
  data: false,
  file,
  line,
  samples: null,
  target: null,
  literal: null,
  ...more,
});

const answer = (more = {}) => ({
  id: 3,
  name: 'f',
  file: 'src/main.c',
  path: '/fw/src/main.c',
  line: 10,
  available: { source: true, disassembly: true },
  reason: { source: null, disassembly: null },
  left_out: 0,
  bin_bytes: 1,
  own_file: 1,
  files: [
    { file: 'inc/p.h', path: '/fw/inc/p.h', reason: null, changed: true },
    { file: 'src/main.c', path: '/fw/src/main.c', reason: null, changed: false },
  ],
  lines: [
    { line: 10, text: 'void f(void)', instructions: 0, samples: 0 },
    { line: 11, text: '{', instructions: 1, samples: 2 },
    { line: 12, text: '\tg();', instructions: 2, samples: 6 },
  ],
  inlined: [
    {
      file: 0,
      lines: [
        { line: 3, text: 'a', instructions: 1, samples: 1 },
        { line: 9, text: 'b', instructions: 1, samples: 1 },
      ],
    },
  ],
  instructions: [
    instruction('0x00000100', 'push {lr}', 1, 11, { samples: 2 }),
    instruction('0x00000102', 'bl #0x200', 1, 12, {
      samples: 6,
      target: { address: '0x00000200', name: 'g', function: 4 },
    }),
    instruction('0x00000106', 'beq #0x100', 1, 12, {
      samples: 0,
      target: { address: '0x00000100', name: 'f', function: 3 },
    }),
    instruction('0x00000108', 'nop', 0, 3, { samples: 1 }),
    instruction('0x0000010a', 'nop', 0, 9, { samples: 1 }),
    instruction('0x0000010c', '.word 0x1', null, null, { data: true, samples: 0 }),
  ],
  ...more,
});

test('own lines come first, then those of other files, with gaps', () => {
  const { lines } = new Listing(answer());
  assert.deepEqual(
    lines.map(({ kind, key }) => `${kind} ${key}`),
    ['line 1-10', 'line 1-11', 'line 1-12', 'file ', 'line 0-3', 'gap ', 'line 0-9'],
  );
});

test('a name leads to its rows and back', () => {
  const listing = new Listing(answer());
  for (const pane of ['source', 'code']) {
    const rows = pane === 'code' ? listing.code : listing.lines;
    rows.forEach((row, i) => {
      const name = listing.nameOf(pane, i);
      if (row.kind === 'file' || row.kind === 'gap') return assert.equal(name, '');
      const found = listing.rowsOf(name);
      return assert.equal(pane === 'code' ? found.chosen : found.line, i, name);
    });
  }
  assert.deepEqual(listing.rowsOf('12'), { line: 2, code: [1, 2], chosen: -1 });
  assert.deepEqual(listing.rowsOf('0x00000106'), { line: 2, code: [1, 2], chosen: 2 });
  assert.deepEqual(listing.rowsOf('0x0000010c'), { line: -1, code: [5], chosen: 5 });
  for (const nonsense of ['', '99', '0xzz', '7-7', 'x'])
    assert.deepEqual(listing.rowsOf(nonsense), { line: -1, code: [], chosen: -1 });
});

test('steps skip gaps and names of files and stop at the ends', () => {
  const listing = new Listing(answer());
  assert.equal(listing.next('source', 2, 1), 4);
  assert.equal(listing.next('source', 4, -1), 2);
  assert.equal(listing.next('source', 4, 50), 6);
  assert.equal(listing.next('source', -1, 1), 0);
  assert.equal(listing.next('source', 0, -1), 0);
  assert.equal(listing.next('code', 0, 3), 3);
});

test('branches lead within the function, calls out of it', () => {
  const listing = new Listing(answer());
  assert.deepEqual(
    listing.code.map(({ into }) => into),
    [-1, -1, 0, -1, -1, -1],
  );
  assert.equal(listing.callIn([1, 2]).function, 4);
  assert.equal(listing.callIn([2]), null);
});

test('the hottest rows come first; a search asks for the rows it matches', () => {
  const listing = new Listing(answer());
  assert.deepEqual(listing.marks('source', matcher('')), [2, 1, 4, 6]);
  assert.deepEqual(listing.marks('code', matcher('')), [1, 0, 3, 4]);
  assert.deepEqual(listing.marks('code', matcher('nop')), [3, 4]);
  assert.deepEqual(listing.marks('source', matcher('/^void/')), [0]);
  assert.equal(listing.share(listing.code[1]), 0.6);
});

test('places are those of the row, of its file, or of the function', () => {
  const listing = new Listing(answer());
  assert.deepEqual(listing.placeOf('source', 4), { path: '/fw/inc/p.h', file: 'inc/p.h', line: 3 });
  assert.deepEqual(listing.placeOf('code', 1), { path: '/fw/src/main.c', file: 'src/main.c', line: 12 });
  assert.deepEqual(listing.placeOf('source', -1), { path: '/fw/src/main.c', file: 'src/main.c', line: 10 });
  assert.deepEqual(listing.changed(), ['p.h']);
  const bare = new Listing(answer({ own_file: null, line: null, files: [], lines: [], inlined: [] }));
  assert.equal(bare.placeOf('source', -1), null);
});

test('an empty answer is an empty listing', () => {
  const listing = new Listing({});
  assert.deepEqual([listing.lines, listing.code, listing.samples], [[], [], 0]);
  assert.equal(listing.next('code', -1, 1), -1);
  assert.equal(listing.hasSamples, false);
});

test('samples read as few digits as they need', () => {
  assert.deepEqual([0, null, 12, 2.5, 0.03, 1234.6].map(sampleText), ['', '', '12', '2.5', '< 0.1', '1235']);
});

test('functions without a place are not offered; the hottest is first', () => {
  const fn = (id, name, more) => ({ id, name, address: `0x${id}`, self_ticks: 0, samples: 0, ...more });
  const functions = [
    fn(0, '[depth 0 running]', { kind: 'running', self_ticks: 99 }),
    fn(1, 'cold', {}),
    fn(2, 'hot', { self_ticks: 3, samples: 1 }),
    fn(3, 'wired', { address: null, self_ticks: 50 }),
    fn(4, 'warm', { self_ticks: 1, samples: 9 }),
  ];
  const names = (list) => list.map((row) => row.fn.name);
  assert.deepEqual(names(hottest({ functions })), ['hot', 'warm', 'cold']);
  assert.equal(hottest({ functions })[0].share, 0.75);
  const sampled = functions.map((row) => ({ ...row, self_ticks: null }));
  assert.deepEqual(names(hottest({ functions: sampled })), ['warm', 'hot', 'cold']);
});

test('editors are given the path and the line', () => {
  const place = { path: '/home/a b/ü#?.c', line: 7 };
  for (const { template } of editors) {
    assert.equal(templateTrouble(template), '');
    const link = new URL(editorLink(template, place));
    assert.match(decodeURIComponent(link.href), /\/home\/a b\/ü#\?\.c/);
    assert.match(link.href, /[:=]7$/);
  }
  assert.equal(
    editorLink('vscode://file{path}:{line}', { path: 'C:\\fw\\a.c', line: 2 }),
    'vscode://file/C:/fw/a.c:2',
  );
  assert.equal(editorLink('x://{path}', { path: '/a/$&.c', line: 1 }), 'x:///a/%24%26.c');
  assert.equal(editorLink('vscode://file{path}:{line}', { path: 'src/a.c', line: 2 }), '');
});

test('a template that is no link to an editor is refused', () => {
  for (const bad of [
    '',
    'path',
    '{path}',
    'x://file',
    'javascript:{path}',
    'JavaScript:alert("{path}")',
    'data:{path}',
    '://{path}',
  ])
    assert.notEqual(templateTrouble(bad), '', bad);
  assert.equal(editorLink('javascript:{path}', { path: '/a', line: 1 }), '');
});
