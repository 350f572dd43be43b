// checks.js - the daemon's checks of a profile's prerequisites (as in `miniprofd doctor`): failed ones first, the
// others folded.

import { button, el, setText } from '../../dom.js';
import { plural } from '../../model/format.js';
import { passedOf } from '../../model/health.js';

const refreshMs = 2000;
const levels = { fail: 'bad', warn: 'warn', ok: 'ok' };

/** A list item: a dot and a sentence. */
const findingItem = ({ verdict, text }) =>
  el('li', { 'data-level': levels[verdict] }, el('span', { class: 'dot', 'aria-hidden': 'true' }), el('p', {}, text));

/** A finding with text to copy, and a button for that. */
const offerItem = (finding, copy) => {
  const item = findingItem(finding);
  item.lastElementChild.append(' ', el('code', {}, finding.paste));
  item.append(button('copy', 'Copy', () => copy(finding.paste, 'Option'), { tip: 'Copy the option of the compiler' }));
  return item;
};

/** Requests checks while visible; hidden without a daemon. */
export function createChecks(host) {
  const checks = {
    host,
    said: el('p', { role: 'status' }, 'Checking…'),
    wrong: el('ul', { class: 'findings' }),
    offers: el('ul', { class: 'findings offers' }),
    passed: el('summary'),
    right: el('ul', { class: 'findings' }),
    shown: '', // the findings shown, as a text
    askedAt: -Infinity, // Infinity: a request is in progress
  };
  checks.fold = el('details', { hidden: true }, checks.passed, checks.right);
  const root = el('section', { class: 'checks', 'aria-label': 'Checks' }, checks.said, checks.wrong, checks.offers, checks.fold);
  root.hidden = host.fetchDoctor === null;
  return { root, update: () => root.hidden || ask(checks) };
}

async function ask(checks) {
  const { host } = checks;
  if (!host.answers || performance.now() - checks.askedAt < refreshMs) return;
  checks.askedAt = Infinity;
  try {
    show(checks, (await host.fetchDoctor()).findings);
  } catch (error) {
    if (checks.shown === '') setText(checks.said, error.message); // earlier findings stay until the next answer
  }
  checks.askedAt = performance.now();
}

/** Shows the worst first. Unchanged findings are left alone, so that they stay readable and folded. */
function show(checks, findings) {
  const now = JSON.stringify(findings);
  if (now === checks.shown) return;
  checks.shown = now;
  const of = (...verdicts) => findings.filter(({ verdict }) => verdicts.includes(verdict));
  const offers = findings.filter(({ paste }) => paste !== undefined);
  const [wrong, right] = [[...of('fail'), ...of('warn')], of('ok').filter(({ paste }) => paste === undefined)];
  const all = plural(findings.length, 'check');
  setText(checks.said, wrong.length === 0 ? passedOf(findings.length) : `${wrong.length} of ${all} ${wrong.length === 1 ? 'needs' : 'need'} attention.`);
  checks.wrong.replaceChildren(...wrong.map(findingItem));
  checks.offers.replaceChildren(...offers.map((finding) => offerItem(finding, checks.host.copy)));
  checks.right.replaceChildren(...right.map(findingItem));
  setText(checks.passed, wrong.length === 0 ? `Show ${right.length === 1 ? 'it' : 'them'}` : `${plural(right.length, 'check')} passed`);
  checks.fold.hidden = right.length === 0;
}
