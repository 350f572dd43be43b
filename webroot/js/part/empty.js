// empty.js - the text shown in place of an empty graph or table.

import { el, icon, setText } from '../dom.js';
import { emptyState } from '../model/empty.js';

/** Icons by the state's level; 'busy' has a spinner instead. */
const signs = { info: 'info', warn: 'warn', bad: 'unplugged' };

/** Options, of miniprofd and of compilers, are never wrapped inside. */
const words = (text) =>
  text.split(/((?<![^\s])--?[a-z]\S*[^\s.,:;])/).map((part, i) => (i % 2 === 1 ? el('span', { class: 'option' }, part) : part));

/** The actions (`act`) that a state offers: label, and function. */
const offers = {
  start: ['Start profiling', (host) => host.device('start')],
  idle: ['Show idle time', (host) => host.go({ idle: true })],
  checkpoints: ['Show the checkpoints', (host) => host.go({ view: 'checkpoints' })],
  everything: ['Show everything', (host) => host.go({ range: '' })],
};

export function createEmpty(host) {
  let offer = null;
  const sign = el('span', { class: 'empty-sign', 'aria-hidden': 'true' });
  const title = el('h2');
  const text = el('p');
  const checks = el('ul', { 'aria-label': 'What to look at' });
  const act = el('button', { type: 'button', class: 'button primary', onclick: () => offer[1](host) });
  const root = el('div', { class: 'empty', hidden: true }, sign, title, text, checks, act);
  return {
    root,
    /** `filtered`: there is data, but all of it is hidden. */
    show(profile, answers, filtered = false) {
      this.tell(emptyState(profile, answers, filtered));
    },
    /** Shows a state of model/empty.js. */
    tell(state) {
      root.hidden = false;
      if (root.dataset.level !== state.level) sign.replaceChildren(state.level in signs ? icon(signs[state.level]) : el('span', { class: 'turning' }));
      root.dataset.level = state.level;
      setText(title, state.title);
      setText(text, state.text);
      const now = state.checks.join('\n');
      if (checks.dataset.key !== now) {
        checks.dataset.key = now;
        checks.replaceChildren(...state.checks.map((check) => el('li', {}, ...words(check))));
      }
      checks.hidden = state.checks.length === 0;
      offer = offers[state.act] ?? null;
      act.hidden = offer === null;
      setText(act, offer?.[0] ?? '');
    },
    hide() {
      root.hidden = true;
    },
  };
}
