// The choice of pinned, hidden and moved lanes of the timeline.

import assert from 'node:assert/strict';
import test from 'node:test';

import { arrangeLanes, hideLane, laneKey, moveLane, noChoice, pinLane, putLane } from '../../../webroot/js/model/lanechoice.js';
import { fromTop, layLanes } from '../../../webroot/js/model/lanes.js';
import { formatPlace, parsePlace } from '../../../webroot/js/model/place.js';

const contexts = new Map([
  [0, { id: 0, name: 'main' }],
  [1, { id: 1, name: 'net' }],
  [2, { id: 2, name: 'worker' }],
  [3, { id: 3, name: 'worker' }],
  [4, { id: 4 }],
]);
const ids = [0, 1, 2, 3, 4];

const arranged = (choice) => arrangeLanes(ids, contexts, { ...noChoice, ...choice });

test('a lane is called by its name, and by its number where it has none or shares it', () => {
  assert.deepEqual(ids.map((id) => laneKey(contexts, id)), ['main', 'net', 'worker#2', 'worker#3', '#4']);
});

test('lanes pinned come first, those moved next, hidden ones nowhere, and names of none for later', () => {
  assert.deepEqual(arranged({}), { shown: ids, pinned: new Set(), hidden: [] });
  const chosen = arranged({ pins: ['worker#3', 'gone', 'net'], lanes: ['#4', 'net', 'main'], without: ['worker#2', 'nobody'] });
  assert.deepEqual(chosen, { shown: [3, 1, 4, 0], pinned: new Set([3, 1]), hidden: [2] });
  assert.deepEqual(arranged({ pins: ['net'], without: ['net'] }), { shown: [0, 2, 3, 4], pinned: new Set(), hidden: [1] });
  assert.deepEqual(arranged({ pins: ['#1'] }).shown[0], 1, 'a context may have got its name since');
});

test('a lane is moved among its like, and those that are not there keep their places in the list', () => {
  const shown = (choice) => {
    const { shown: order, pinned } = arranged(choice);
    return order.map((id) => ({ key: laneKey(contexts, id), isPinned: pinned.has(id) }));
  };
  const choice = { ...noChoice, pins: ['net', 'gone', '#4'] };
  assert.deepEqual(moveLane(choice, shown(choice), '#4', -1), { pins: ['#4', 'net', 'gone'] });
  assert.equal(moveLane(choice, shown(choice), '#4', 1), null);
  assert.deepEqual(moveLane(choice, shown(choice), 'main', 1), { lanes: ['worker#2', 'main', 'worker#3'] });
  assert.equal(moveLane(choice, shown(choice), 'main', -1), null, 'not among those pinned');
  assert.deepEqual(putLane(choice, shown(choice), 'main', 99), { lanes: ['worker#2', 'worker#3', 'main'] });
  assert.deepEqual(pinLane(choice, 'net'), { pins: ['gone', '#4'] });
  assert.deepEqual(pinLane(choice, 'main'), { pins: ['net', 'gone', '#4', 'main'] });
  assert.deepEqual(hideLane({ ...choice, without: ['main'] }, 'net'), { without: ['main', 'net'] });
});

test('the choice is read back from an address, for any names of contexts', () => {
  const choice = { pins: ['a,b', 'x#1'], lanes: ['ü "<b>'], without: ['#4'] };
  const { pins, lanes, without } = parsePlace(formatPlace({ ...parsePlace('#timeline'), ...choice }));
  assert.deepEqual({ pins, lanes, without }, choice);
});

test('lanes pinned are held at the top as far as half of the room goes', () => {
  const known = new Map(ids.map((id) => [id, { least: 0, most: 1 }]));
  const lay = (pins, room) => layLanes(known, contexts, new Set(), 10, { choice: { ...noChoice, pins }, room });
  const height = 20 + 2 * 10 + 6;
  const tops = ({ lanes }) => lanes.map(({ context, top }) => [context, top]);
  assert.equal(lay([], 1000).held, 0);
  const two = lay(['net', '#4'], 4 * height);
  assert.deepEqual(tops(two), [1, 4, 0, 2, 3].map((id, i) => [id, i * height]));
  assert.equal(two.held, 2 * height);
  assert.equal(lay(['net', '#4'], 4 * height - 1).held, height, 'the second scrolls with the others');
  assert.equal(lay(['net'], height).held, 0);
  assert.deepEqual([fromTop(two, 5, 300), fromTop(two, 2 * height, 300)], [5, 2 * height + 300]);
});
