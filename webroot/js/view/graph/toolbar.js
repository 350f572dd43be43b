// toolbar.js - how many levels of the call graph are shown, where to begin, and its size.

import { button, el, setText } from '../../dom.js';
import { hottest } from '../../model/callgraph.js';
import { program } from '../../model/edges.js';
import { shorten, tipOf } from '../../model/names.js';
import { createChoice } from '../../part/choice.js';
import { nameLetters } from './words.js';

export const depths = ['1', '2', '3'];

/** on: { open(box), zoom(factor), fit() }. */
export function createToolbar(host, on) {
  const levels = createChoice(
    'Levels to each side',
    depths.map((depth) => [depth, depth]),
    (depth) => host.go({ depth, more: [] }, { replace: true }),
  );
  const whole = button('focus', 'Whole program', () => host.go({ fn: '', more: [] }), {
    keys: 'Esc',
    tip: 'From where the program begins (Esc)',
  });
  const hot = el('div', { class: 'graph-hot' });
  const say = el('p', { class: 'graph-say' });
  const size = (text, name, title, onclick) =>
    el('button', { type: 'button', class: 'button', 'aria-label': name, title, onclick }, text);
  const sizes = el(
    'div',
    { class: 'group', role: 'group', 'aria-label': 'Size' },
    size('−', 'Smaller', 'Smaller (-)', () => on.zoom(0.8)),
    size('Fit', null, 'All of it (0)', () => on.fit()),
    size('+', 'Larger', 'Larger (+)', () => on.zoom(1.25)),
  );
  return {
    root: el(
      'div',
      { class: 'toolbar graph-bar' },
      el('span', { class: 'graph-term' }, 'Levels'),
      levels.root,
      whole,
      hot,
      say,
      sizes,
    ),
    /** `centre` is what the graph is of, `words` what is to be said about it, or ''. */
    show(centre, words) {
      levels.show(host.place.depth);
      whole.hidden = host.place.fn === '';
      showHot(host, hot, on.open, centre === program ? hottest(host.profile) : []);
      setText(say, words);
      say.hidden = words === '';
    },
  };
}

function showHot(host, hot, open, ids) {
  const names = ids.map((id) => host.profile.functions[id].name);
  const key = names.join('\n');
  if (hot.dataset.key === key) return;
  hot.dataset.key = key;
  const press = (title, id) =>
    el(
      'button',
      { type: 'button', class: 'button small mono', title: tipOf(title), onclick: () => open({ id }) },
      shorten(title, nameLetters.wide),
    );
  hot.replaceChildren(
    ...(ids.length > 0 ? [el('span', { class: 'graph-term' }, 'Hottest')] : []),
    ...names.map((name, i) => press(name, ids[i])),
  );
}
