// How busy the processor is, as the header tells it.

import assert from 'node:assert/strict';
import test from 'node:test';

import { ProcessorLoad } from '../../../webroot/js/model/load.js';

const profileOf = (sequence, { contexts = [], self = [], ticksPerSecond = 1000000 }) => ({
  sequence,
  contexts: new Map(contexts.map((row) => [row.id, row])),
  functions: self.map((ticks) => (ticks === null ? null : { self_ticks: Math.abs(ticks), calls: ticks < 0 ? 0 : 1 })),
  ticksPerSecond,
});

test('with an idle context it is what that left of the last seconds', () => {
  const load = new ProcessorLoad();
  const at = (idle, main) =>
    profileOf(idle, {
      contexts: [
        { id: 0, kind: 'main', running_ticks: main },
        { id: 1, kind: 'idle', running_ticks: idle },
      ],
    });
  load.add(0, at(900, 100));
  assert.equal(load.told(at(900, 100)).text, '10.0 %', 'over all, until a second has gone by');
  load.add(2000, at(1400, 600));
  const told = load.told(at(1400, 600));
  assert.deepEqual([told.term, told.text], ['CPU load', '50.0 %']);
  assert.match(told.tip, /30\.0 % over all/);
});

test('without one it is what profiled functions took, and says so', () => {
  const load = new ProcessorLoad();
  const at = (sequence, self, ticksPerSecond) => profileOf(sequence, { self, ticksPerSecond });
  load.add(0, at(1, [100000, null]));
  assert.equal(load.told(at(1, [100000, null])), null, 'two seconds are needed');
  load.add(1000, at(2, [300000, 50000, -900000]));
  load.add(2000, at(3, [500000, 100000, -1900000]));
  const told = load.told(at(3, [500000, 100000]));
  assert.deepEqual([told.term, told.text], ['Busy', '25.0 %']);
  assert.equal(load.told(at(3, [500000, 100000], null)), null, 'nobody knows how long a tick is');
});

test('what was forgotten, or stood still for long, says nothing of now', () => {
  const load = new ProcessorLoad();
  const at = (sequence, self) => profileOf(sequence, { self: [self] });
  load.add(0, at(1, 1000000));
  load.add(2500, at(2, 0));
  assert.equal(load.told(at(2, 0)), null, 'cleared');
  load.add(20000, at(3, 500000));
  assert.equal(load.told(at(3, 500000)), null, 'nothing came for long');
});
