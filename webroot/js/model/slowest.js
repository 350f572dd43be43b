// slowest.js - the reasons for the duration of the slowest calls, as text and as parts of a bar.

import { duration, percent } from './format.js';

const mostly = 0.1; // share of the call: less is not a reason
const namedMost = 2; // contexts that preempted it

/** The context's name without its kind, which the colour shows. */
export const nameOf = ({ contexts }, id) => contexts.get(id)?.name || `Context ${id}`;

/**
 * The parts of a call: [{ kind: 'ran' | 'preempted' | 'blocked', share, context (that ran then, or null) }]; empty if
 * unknown.
 */
export function partsOf(call) {
  if (call.ran_ticks === null || !(call.duration > 0)) return [];
  const part = (kind, ticks, context) => ({ kind, share: ticks / call.duration, context });
  const others = call.by.reduce((sum, { ticks }) => sum + ticks, 0);
  return [
    part('ran', call.ran_ticks, call.context),
    ...call.by.map(({ context, ticks }) => part('preempted', ticks, context)),
    part('preempted', Math.max(call.preempted_ticks - others, 0), null),
    part('blocked', call.blocked_ticks, null),
  ].filter(({ share }) => share > 0);
}

/** " by reporter 2 ms, SysTick 12 µs", or ''. */
export function preempters({ by }, profile) {
  const isOne = by.length === 1; // then it took all of that time
  const named = by.slice(0, namedMost).map(({ context, ticks }) => `${nameOf(profile, context)}${isOne ? '' : ` ${duration(ticks, profile.ticksPerSecond)}`}`);
  return named.length === 0 ? '' : ` by ${named.join(', ')}${by.length > namedMost ? ' and others' : ''}`;
}

/** [" in bus_lock", "reporter ran last before it went on"], each '' if unknown. */
export function waiting({ wait }, profile) {
  if (!wait) return ['', ''];
  const where = wait.function === null ? '' : ` in ${profile.functions[wait.function]?.name ?? ''}`;
  // An idle context cannot have ended the wait: code without hooks did.
  const isKnown = wait.ran_last !== null && profile.contexts.get(wait.ran_last)?.kind !== 'idle';
  return [where, isKnown ? `${nameOf(profile, wait.ran_last)} ran last before it went on` : ''];
}

const times = (factor) => `${factor < 10 ? factor.toFixed(1) : Math.round(factor)} ×`;

/** What its time is compared with. */
export const usualOf = ({ usual_is: is }) => (is === 'p99' ? 'its p99' : 'twice its p50');

/** The time of a call in a line: what it ran, was preempted (by which contexts) and blocked; '' if unknown. */
export function splitWords(call, profile) {
  if (call.ran_ticks === null) return '';
  const time = (ticks) => duration(ticks, profile.ticksPerSecond);
  const [where, woken] = waiting(call, profile);
  return [
    `Ran ${time(call.ran_ticks)}`,
    call.preempted_ticks > 0 ? `preempted ${time(call.preempted_ticks)}${preempters(call, profile)}` : '',
    call.blocked_ticks > 0 ? [`blocked ${time(call.blocked_ticks)}${where}`, woken].filter(Boolean).join(', ') : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** { head (the reason), rest } as text. Shares are of the call. */
export function reasonOf(call, profile) {
  const over = call.usual_ticks > 0 ? `${times(call.duration / call.usual_ticks)} ${usualOf(call)}` : '';
  if (call.ran_ticks === null) return { head: over, rest: 'what ran then is unknown' };
  const [blocked, preempted] = [call.blocked_ticks / call.duration, call.preempted_ticks / call.duration];
  if (blocked < mostly && preempted < mostly) return { head: `ran ${over}`, rest: '' };
  if (blocked >= preempted) {
    const [where, woken] = waiting(call, profile);
    return { head: `blocked ${percent(blocked)}`, rest: [where.trim(), woken].filter(Boolean).join(' · ') };
  }
  return { head: `preempted ${percent(preempted)}`, rest: preempters(call, profile).trim() };
}
