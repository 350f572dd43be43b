// checkup.js - each thing that a profile needs, looked at by the daemon when somebody asks.

import { el, setText } from '../../dom.js';

const levels = { ok: 'ok', warn: 'warn', fail: 'bad' };

/** A list item of the Link view: a dot and a sentence. */
export const findingItem = (level, ...said) =>
  el('li', { 'data-level': level }, el('span', { class: 'dot', 'aria-hidden': 'true' }), el('p', {}, ...said));

/** A button, and below it what came of it the last time; hidden where nobody can be asked. */
export function createCheckup(host) {
  const button = el('button', { type: 'button', class: 'button', id: 'checkup' }, 'Check everything');
  const said = el('span', { role: 'status' });
  const list = el('ul', { class: 'advice' });
  button.addEventListener('click', () => examine({ host, button, said, list }));
  const root = el('section', { class: 'checkup', 'aria-label': 'Everything that a profile needs' }, el('p', {}, button, said), list);
  root.hidden = host.fetchDoctor === null;
  return {
    root,
    update: () => {
      button.disabled = !host.answers;
    },
  };
}

function verdictWords(findings) {
  const well = findings.filter(({ verdict }) => verdict === 'ok').length;
  return well === findings.length ? 'All is well.' : `${well} of ${findings.length} are well.`;
}

async function examine({ host, button, said, list }) {
  button.disabled = true;
  setText(said, 'Looking…');
  try {
    const { findings } = await host.fetchDoctor();
    setText(said, verdictWords(findings));
    list.replaceChildren(...findings.map(({ verdict, text }) => findingItem(levels[verdict], text)));
  } catch (error) {
    setText(said, error.message);
  }
  button.disabled = false;
}
