// taskfigures.js - rows and columns of the Tasks view from /api/v1/tasks: responses and the longest waits.

import * as format from './format.js';
import { nameOf, preempters, splitWords, waiting } from './slowest.js';

const stretches = {
  max: 'slowest',
  workWait: 'work_wait',
  callWait: 'call_wait',
  longestPreempted: 'preempted',
  ready: 'ready_most',
};

/** Activations of a row's task; null where the target does not report turns (mode tree), as the daemon then has 0. */
const activationsOf = ({ blocked }, task) => task?.activations || (blocked === null ? null : (task?.activations ?? null));

/** Adds the figures in ticks from the answer (null before the first) to each row, with the `stretches` they are of. */
export function withFigures(rows, answer) {
  const found = new Map(answer?.tasks.map((task) => [task.context, task]));
  return rows.map((row) => {
    const task = row.isIdle ? undefined : found.get(row.id); // idle contexts have no responses
    const of = Object.fromEntries(Object.entries(stretches).map(([id, key]) => [id, task?.[key] ?? null]));
    return {
      ...row,
      activations: activationsOf(row, task),
      min: task?.min_ticks ?? null,
      p50: task?.p50_ticks ?? null,
      p99: task?.p99_ticks ?? null,
      ...Object.fromEntries(Object.entries(of).map(([id, stretch]) => [id, stretch?.duration ?? null])),
      max: task?.max_ticks ?? null,
      stretches: of,
    };
  });
}

const ticks = (id, title, tip) => ({
  id,
  title,
  tip,
  of: (row) => row[id],
  text: (row, ticksPerSecond) => (row[id] === null ? format.dash : format.cellDuration(row[id], ticksPerSecond)),
});

/** A figure that links to its time; `why(stretch, profile)` is a line below it. */
const lead = (id, title, tip, why, prefix = '') => {
  const column = ticks(id, title, tip);
  const text = (row, scale) => (row[id] === null ? format.dash : `${prefix}${column.text(row, scale)}`);
  return { ...column, text, why, leads: true };
};

const who = (stretch, profile) => {
  const last = stretch.wait?.ran_last ?? null;
  return last === null || profile.contexts.get(last)?.kind === 'idle' ? '' : `${nameOf(profile, last)} before its end`;
};
const where = (stretch, profile) => waiting(stretch, profile)[0].trim();
/** A figure stays in a line with its unit and the name before it. */
const together = (text) => text.replace(/ (?=\d)|(?<=\d) /g, '\u00a0');
const byWhom = (stretch, profile) => (stretch.by === null ? '' : together(preempters(stretch, profile).trim()));

/** What took most of a response. */
function most(stretch, profile) {
  const { ran_ticks: ran, preempted_ticks: preempted, blocked_ticks: blocked } = stretch;
  if (ran > Math.max(preempted, blocked)) return together(`ran ${format.duration(ran, profile.ticksPerSecond)}`);
  return preempted > 0 && preempted >= blocked ? byWhom(stretch, profile) : where(stretch, profile);
}

export const figureColumns = [
  { id: 'activations', title: 'Runs', tip: 'Activations, between two waits for work; of an interrupt, its outermost calls', of: (row) => row.activations, text: (row) => (row.activations === null ? format.dash : format.count(row.activations)) },
  ticks('min', 'Resp. min', 'Shortest response: an activation with its waits and preemptions'),
  ticks('p50', 'Resp. p50', 'Half of the responses are shorter'),
  ticks('p99', 'Resp. p99', '99 % of the responses are shorter'),
  lead('max', 'Resp. max', 'Longest response; click to go there', most),
  lead('workWait', 'Max wait', 'Longest wait for work; click to go there', who),
  lead('callWait', 'In a call', 'Longest wait inside an activation, such as for a mutex; click to go there', where),
  lead('longestPreempted', 'Max preempted', 'Longest time in which others ran in its place; click to go there', byWhom),
  lead('ready', 'Max ready', 'Longest time in which it may have been ready and did not run (starvation); an upper bound, since targets do not report when a task becomes ready', null, '≤ '),
];

/** The full text about a stretch, for a tip. */
export const stretchWords = (stretch, profile) => (stretch.ran_ticks === undefined ? '' : splitWords(stretch, profile));
