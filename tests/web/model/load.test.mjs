// The processor load: the same figure in the header and in each view.

import assert from 'node:assert/strict';
import test from 'node:test';

import { withoutIdle } from '../../../webroot/js/model/idle.js';
import { ProcessorLoad } from '../../../webroot/js/model/load.js';
import { Profile } from '../../../webroot/js/model/profile.js';
import { processorLoad, taskRows } from '../../../webroot/js/model/tasks.js';

let sequence = 0;

/** Makes a profile: main never returns, idles for `idle` ticks and calls step, which works for `work` ticks; an idle task ran for `task`. */
function made({ idle, work, task = null, isTold = true, mainCalls = 0 }) {
  const profile = new Profile();
  const thread = { id: 0, name: 'main', kind: 'thread', ...(isTold && { running_ticks: idle + work }) };
  profile.load({
    sequence: ++sequence,
    functions: [
      { id: 0, name: 'main', kind: 'function', calls: mainCalls, self_ticks: idle, total_ticks: idle + work, samples: 0 },
      { id: 1, name: 'step', kind: 'function', calls: 5, self_ticks: work, total_ticks: work, samples: 0 },
    ],
    call_tree: { parent: [-1, 0, 1], function: [-1, 0, 1], context: [0, 0, 0], calls: [0, mainCalls, 5], total_ticks: [0, idle + work, work], self_ticks: [0, idle, work] },
    contexts: task === null ? [thread] : [thread, { id: 1, name: 'IDLE', kind: 'idle', running_ticks: task }],
  });
  return profile;
}

for (const [what, of, all, now] of [
  ['of an idle task it is what that left', (rounds) => made({ idle: 0, work: 100 + 200 * rounds, task: 900 + 200 * rounds }), '30.0 %', '50.0 %'],
  ['of a superloop it is the time that was not its own', (rounds) => made({ idle: 900 + 300 * rounds, work: 100 + 100 * rounds }), '15.4 %', '25.0 %'],
  ['the same where the target reports no time of contexts', (rounds) => made({ idle: 900 + 300 * rounds, work: 100 + 100 * rounds, isTold: false }), '15.4 %', '25.0 %'],
])
  test(`load: ${what}`, () => {
    const load = new ProcessorLoad();
    load.add(0, of(0));
    assert.equal(load.told(of(0)).text, '10.0 %', 'over all, until a second has gone by');
    const later = of(2);
    load.add(2000, later);
    const told = load.told(later);
    const middle = of(1);
    assert.equal(told.text, `${now} now`);
    assert.ok(Math.abs(processorLoad(middle, middle, null).all - { '30.0 %': 300 / 1400, '15.4 %': 200 / 1400 }[all]) < 1e-9);
    const rows = taskRows(withoutIdle(middle), null).filter(({ isIdle }) => !isIdle);
    if (rows.length > 0) assert.ok(Math.abs(rows.reduce((sum, row) => sum + row.load, 0) - processorLoad(middle, middle, null).all) < 1e-9, 'the sum of what contexts have');
  });

test('load: without known idle time there is none', () => {
  const load = new ProcessorLoad();
  const busy = () => made({ idle: 900, work: 100, mainCalls: 1 });
  load.add(0, busy());
  load.add(2000, busy());
  assert.equal(load.told(busy()), null);
});
