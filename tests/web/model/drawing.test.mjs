// drawing.test.mjs - the schedule by which the page draws (js/frame/drawing.js).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createDrawing } from '../../../webroot/js/frame/drawing.js';
import { holdTimeouts } from './support.mjs';

/** A page with three steps. `frame()` is an animation frame: it returns the steps that ran in it, with * for data. */
function pageOf(t, hand = { isMoving: () => false }) {
  const pass = holdTimeouts(t);
  let waiting = null;
  let ran = '';
  let asked = 0;
  globalThis.requestAnimationFrame = (run) => {
    waiting = run;
    return 1;
  };
  const steps = ['a', 'b', 'c'].map((name) => (isData) => {
    ran += isData ? `${name}*` : name;
  });
  const drawing = createDrawing({ steps, more: () => asked++, hand });
  const frame = () => {
    const run = waiting;
    [waiting, ran] = [null, ''];
    run?.();
    return ran;
  };
  return { drawing, frame, pass, asked: () => asked };
}

test('new data is drawn with a step a frame, and then more of it is requested', (t) => {
  const { drawing, frame, asked } = pageOf(t);
  drawing.whenever();
  assert.deepEqual([frame(), frame(), asked(), frame(), asked()], ['a*', 'b*', 0, 'c*', 1]);
  assert.equal(frame(), '');
});

test('an action of the user is drawn in one frame, also in the middle of data', (t) => {
  const { drawing, frame } = pageOf(t);
  drawing.soon();
  assert.equal(frame(), 'abc');
  drawing.whenever();
  assert.equal(frame(), 'a*');
  drawing.soon();
  assert.deepEqual([frame(), frame()], ['abc', '']);
});

test('data that comes while other data is drawn is drawn after it', (t) => {
  const { drawing, frame } = pageOf(t);
  drawing.whenever();
  assert.equal(frame(), 'a*');
  drawing.whenever();
  assert.deepEqual([frame(), frame(), frame(), frame(), frame(), frame()], ['b*', 'c*', 'a*', 'b*', 'c*', '']);
});

test('while the user moves something no data is drawn or requested, and the rest of it follows', (t) => {
  let moves = false;
  const { drawing, frame, pass, asked } = pageOf(t, { isMoving: () => moves });
  drawing.whenever();
  moves = true;
  assert.deepEqual([frame(), frame(), frame()], ['a*', '', '']);
  pass(60);
  assert.deepEqual([frame(), asked()], ['', 0]);
  moves = false;
  pass(60);
  assert.deepEqual([frame(), frame(), frame(), asked()], ['b*', 'c*', '', 1]);
});

test('what an action waits for can be drawn at once', (t) => {
  const { drawing, frame } = pageOf(t);
  drawing.finish();
  assert.equal(frame(), '');
  drawing.soon();
  drawing.finish();
  assert.equal(frame(), '');
});
