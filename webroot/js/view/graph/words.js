// words.js - the texts of boxes and arrows in the call graph.

import { program } from '../../model/edges.js';
import { cellDuration, compact, count, duration, percent, plural } from '../../model/format.js';
import { shorten, tipOf } from '../../model/names.js';
import { explain, figuresOf, isPlaceholder } from '../../model/placeholder.js';

export const nameLetters = { wide: 26, narrow: 20 };

const lines = (...parts) => parts.filter(Boolean).join('\n');
const list = (...parts) => parts.filter(Boolean).join(', ');
const nothing = { total: null, self: null, calls: '' };

/** The weight of calls and ticks (null: not known), short and as text. A function without counted calls has not returned, is estimated, or was not reported. */
export function weight({ calls, ticks }, ticksPerSecond) {
  const isTimed = ticks !== null;
  const isCounted = calls > 0;
  return {
    text: [isTimed && cellDuration(ticks, ticksPerSecond), isCounted && `${compact(calls)} ×`].filter(Boolean).join(' · '),
    words: list(isTimed ? duration(ticks, ticksPerSecond) : '', isCounted ? plural(calls, 'call') : isTimed ? '' : 'not counted'),
  };
}

export const weightText = (arrow, ticksPerSecond) => weight(arrow, ticksPerSecond).text;

/** The texts of the box for functions that are too light to show. */
function aboutRest(box, arrows, ticksPerSecond) {
  const own = arrows.filter(({ from, to }) => from === box.id || to === box.id);
  const isTimed = own.some(({ ticks }) => ticks !== null);
  const ticks = isTimed ? own.reduce((sum, one) => sum + (one.ticks ?? 0), 0) : null;
  const calls = own.reduce((sum, one) => sum + one.calls, 0);
  const { text, words } = weight({ calls, ticks }, ticksPerSecond);
  const label = `${count(box.more)} more ${box.level < 0 ? 'callers' : 'callees'}, ${words}. Show more.`;
  return { ...nothing, name: `${count(box.more)} more …`, figures: text, label, title: label };
}

function aboutProgram() {
  const label = 'The whole program: caller of all functions without a profiled caller';
  return { ...nothing, name: 'The program', figures: 'all that is profiled', label, title: label };
}

/** The calls between the box and the centre, or ''. */
function toCentre(id, { arrows, centre }, ticksPerSecond) {
  const isBetween = ({ from, to }) =>
    from !== to && ((from === id && to === centre) || (to === id && from === centre));
  const arrow = arrows.find(isBetween);
  if (arrow === undefined) return '';
  return `${arrow.from === id ? 'calls' : 'called by'} the centre: ${weight(arrow, ticksPerSecond).words}`;
}

/** The calls of a function, short and as text; '' for a placeholder. One that runs and has never returned was not called 0 times. */
export function callsOf(fn) {
  const { calls, running } = figuresOf(fn);
  if (calls === null) return { text: '', words: '' };
  const runs = running > 0;
  if (runs && calls === 0) return { text: 'running', words: 'still runs' };
  return { text: `${compact(calls)} ×`, words: `${plural(calls, 'call')}${runs ? ' that returned, and it still runs' : ''}` };
}

function aboutFunction(box, row, { part, layout, hits, ticksPerSecond }) {
  const { fn, selfShare, totalShare, sampleShare } = row;
  const { narrow } = layout;
  const calls = callsOf(fn);
  const isTimed = totalShare !== null;
  const samples = !isTimed && sampleShare !== null ? `${percent(sampleShare)} of samples` : '';
  const words = [
    tipOf(fn.name),
    samples,
    isTimed ? `total ${percent(totalShare)}, self ${percent(selfShare)}` : '',
    calls.words,
    toCentre(box.id, part, ticksPerSecond),
  ];
  return {
    name: shorten(fn.name, narrow ? nameLetters.narrow : nameLetters.wide),
    figures: isTimed ? `${percent(totalShare)} · self ${percent(selfShare)}` : samples,
    calls: narrow ? '' : calls.text,
    total: totalShare,
    self: selfShare ?? sampleShare,
    label: list(...words),
    title: lines(...words, explain(fn)),
    marks: {
      'data-placeholder': isPlaceholder(fn) ? '' : null,
      'data-hit': hits.has(box.id) ? '' : null,
    },
  };
}

/**
 * The texts of a box. `row` is that of its function (model/table.js) and may be missing; about: { part (the
 * neighbourhood), layout, hits (ids that the search matches), functions, ticksPerSecond }.
 */
export function aboutBox(box, row, about) {
  if (box.more) return aboutRest(box, about.part.arrows, about.ticksPerSecond);
  if (box.id === program) return aboutProgram();
  const bare = { fn: about.functions[box.id], selfShare: null, totalShare: null, sampleShare: null };
  return aboutFunction(box, row ?? bare, about);
}

function endName(id, functions) {
  if (id === program) return 'The program';
  return typeof id === 'string' ? 'others' : tipOf(functions[id]?.name ?? '');
}

/** Answers the tooltip of an arrow of `arrows`. */
export function aboutArrows(arrows, functions, ticksPerSecond) {
  const size = (arrow) => arrow.ticks ?? arrow.calls;
  const most = Math.max(...arrows.map(size), 1);
  const isDim = (id) => typeof id === 'number' && id >= 0 && isPlaceholder(functions[id]);
  return (arrow) => {
    const { text, words } = weight(arrow, ticksPerSecond);
    return {
      text,
      title: `${endName(arrow.from, functions)} → ${endName(arrow.to, functions)}\n${words}`,
      share: size(arrow) / most,
      marks: { 'data-dim': isDim(arrow.from) || isDim(arrow.to) ? '' : null },
    };
  };
}
