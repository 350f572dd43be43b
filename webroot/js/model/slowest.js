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

const besidePx = 8; // from the middle of a mark to its text
const apartPx = 7; // from a text to the middle of another mark

/**
 * Where the ranks beside marks are written, `marks`: [{ x, rank }] (px). Answers [{ text, x }], x at the text's left: right of its mark, or
 * left of it where there is no room before the next one or `right`. Marks without room for texts of their own share one. `widthOf(text)` is in px.
 */
export function rankTexts(marks, right, widthOf) {
  const groups = [...marks].sort((a, b) => a.x - b.x).map(({ x, rank }) => ({ from: x, to: x, ranks: [rank] }));
  for (;;) {
    const placed = placeAll(groups, right, widthOf);
    if (placed.crowded < 0) return placed.texts;
    const at = Math.min(placed.crowded, groups.length - 2);
    const [one, next] = groups.slice(at, at + 2);
    groups.splice(at, 2, { from: one.from, to: next.to, ranks: [...one.ranks, ...next.ranks].sort((a, b) => a - b) });
  }
}

/** Places the texts from right to left: { texts, crowded }, which is the first group without room, or -1. */
function placeAll(groups, right, widthOf) {
  const texts = [];
  let end = right;
  for (let i = groups.length - 1; i >= 0; i--) {
    const { from, to, ranks } = groups[i];
    const text = ranks.join(', ');
    const wide = widthOf(text);
    const isRight = to + besidePx + wide <= end;
    const x = isRight ? to + besidePx : from - besidePx - wide;
    if (!isRight && i > 0 && x < groups[i - 1].to + apartPx) return { texts, crowded: i };
    texts.unshift({ text, x });
    end = Math.min(x, from - apartPx) - 1;
  }
  return { texts, crowded: -1 };
}
