// support.mjs - shared by the model tests: profiles written as folded stacks, and seeded runs of the simulated
// firmware.

import { Profile } from '../../../webroot/js/model/profile.js';
import { figures } from '../mock-figures.mjs';
import { Program, dice } from '../mock-program.mjs';

export { Program, dice, figures };

const known = process.env.SEED === undefined ? null : Number(process.env.SEED);

/** Far longer than any test takes on a slow machine, far shorter than quadratic work would take. */
export const patienceMs = 5000;

/** Returns the processor time of `body()` in ms. */
export function cpuMs(body) {
  const before = process.cpuUsage();
  body();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Holds what setTimeout() is given until the test `t` ends; returns pass(ms), which runs what is due then, in order. The mock timers of node do
 * the same, but the node of Debian 12 has another form of them.
 */
export function holdTimeouts(t) {
  const { setTimeout: realSet, clearTimeout: realClear } = globalThis;
  let now = 0;
  let held = [];
  globalThis.setTimeout = (run, ms = 0) => {
    const one = { at: now + ms, run };
    held.push(one);
    return one;
  };
  globalThis.clearTimeout = (one) => {
    held = held.filter((other) => other !== one);
  };
  t.after(() => Object.assign(globalThis, { setTimeout: realSet, clearTimeout: realClear }));
  return (ms) => {
    now += ms;
    const due = held.filter(({ at }) => at <= now).sort((a, b) => a.at - b.at);
    held = held.filter(({ at }) => at > now);
    for (const { run } of due) run();
  };
}

/** Returns `usual`, or `all` in a full run (scripts/test all). */
export const effort = (usual, all) => (process.env.TEST_ALL ? all : usual);

/** Runs `body(seed)` with `count` seeds and adds the seed to its errors; SEED=N repeats one. */
export function forSeeds(count, body) {
  const seeds = known === null ? Array.from({ length: count }, (_, i) => i + 1) : [known];
  for (const seed of seeds) {
    try {
      body(seed);
    } catch (error) {
      error.message = `seed ${seed}: ${error.message}`;
      throw error;
    }
  }
}

const kindOf = (name) => (name.startsWith('[') ? 'running' : 'function');

/**
 * Makes a profile from lines "a;b;c SELF CALLS": the self ticks and calls of the stack a → b → c. Totals are
 * computed. A name in brackets stands for a caller that is still running.
 */
export function folded(...lines) {
  const functions = [];
  const idOf = (name) => {
    let id = functions.findIndex((fn) => fn.name === name);
    if (id < 0)
      id =
        functions.push({ id: functions.length, kind: kindOf(name), name, calls: 0, total_ticks: 0, self_ticks: 0, samples: 0 }) -
        1;
    return id;
  };
  const tree = { parent: [-1], function: [-1], context: [0], calls: [0], total_ticks: [0], self_ticks: [0] };
  const rows = new Map([['', 0]]);
  for (const line of lines) {
    const [stack, self, calls] = line.split(' ');
    let path = '';
    let row = 0;
    for (const name of stack.split(';')) {
      const parent = row;
      path += `;${name}`;
      if (!rows.has(path)) {
        rows.set(path, tree.parent.length);
        for (const [column, cell] of Object.entries({
          parent,
          function: idOf(name),
          context: 0,
          calls: 0,
          total_ticks: 0,
          self_ticks: 0,
        }))
          tree[column].push(cell);
      }
      row = rows.get(path);
    }
    tree.self_ticks[row] += Number(self);
    tree.calls[row] += Number(calls ?? 1);
    functions[tree.function[row]].self_ticks += Number(self);
    functions[tree.function[row]].calls += Number(calls ?? 1);
  }
  for (let row = tree.parent.length - 1; row > 0; row--) {
    tree.total_ticks[row] += tree.self_ticks[row];
    tree.total_ticks[tree.parent[row]] += tree.total_ticks[row];
    functions[tree.function[row]].total_ticks = tree.total_ticks[row];
  }
  tree.total_ticks[0] = 0;
  const profile = new Profile();
  profile.load({ sequence: 1, source: {}, target: {}, link: {}, functions, call_tree: tree });
  return profile;
}

/** Makes a profile of the simulated firmware after `rounds` of its loop. */
export function simulated(seed, rounds = 30, extra = 0) {
  const program = new Program({ seed, extra });
  program.run(rounds);
  const profile = new Profile();
  profile.load({ sequence: 1, source: {}, target: {}, link: {}, ...program.rows() });
  return profile;
}

export const plain = Object.freeze({
  unit: 'time',
  inverted: false,
  collapse: false,
  order: 'heavy',
  hide: new Set(),
  focus: new Set(),
});

/** Returns the frames as folded stacks { "a;b": weight }, a short form for expected results. */
export function stacks(profile, frames, column = 'weight') {
  const out = {};
  for (let node = 1; node < frames.count; node++) {
    out[
      frames
        .path(node)
        .map((fn) => profile.functions[fn].name)
        .join(';')
    ] = frames[column][node];
  }
  return out;
}
