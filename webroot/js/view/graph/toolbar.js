// toolbar.js - the call graph's toolbar: its levels, its start, and its size.

import { button, el, setText } from '../../dom.js';
import { hottest } from '../../model/callgraph.js';
import { program } from '../../model/edges.js';
import { shorten, tipOf } from '../../model/names.js';
import { createChoice } from '../../part/choice.js';
import { createModes } from '../../part/modes.js';
import { markMore } from '../../part/more.js';
import { createViewMenu } from '../../part/view-menu.js';
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
  const modes = createModes(host);
  const menu = createViewMenu(host, 'the call graph', () => [
    { label: 'All of it', key: '0', run: () => on.fit() },
    { label: 'Larger', key: '+', run: () => on.zoom(1.25) },
    { label: 'Smaller', key: '-', run: () => on.zoom(0.8) },
  ]);
  return {
    root: markMore(el(
      'div',
      { class: 'toolbar graph-bar' },
      modes.root,
      el('span', { class: 'graph-term' }, 'Levels'),
      levels.root,
      menu,
      whole,
      hot,
      say,
    )),
    /** `centre` is what the graph is of, `words` what is to be said about it, or ''. */
    show(centre, words) {
      modes.show();
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
