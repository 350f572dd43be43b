// toolbar.js - filters the messages, and has the list's buttons.

import { button, el, setAttr } from '../../dom.js';
import { origins, severities } from '../../model/messages.js';

const option = (value, text) => el('option', { value }, text);

function nextOf({ options, value }) {
  const list = [...options].map((one) => one.value);
  return list[(list.indexOf(value) + 1) % list.length];
}

function createSelect(host, key, ...options) {
  const select = el(
    'select',
    { class: 'select', onchange: () => host.go({ [key]: select.value }, { replace: true }) },
    ...options,
  );
  return select;
}

/** The buttons call `follow()` and `copy()`. */
export function createToolbar(host, { follow, copy }) {
  const severity = createSelect(
    host,
    'severity',
    option('', 'all'),
    ...severities.slice(1).map((name) => option(name, `${name}${name === 'fatal' ? '' : ' and above'}`)),
  );
  const origin = createSelect(host, 'origin');
  const following = button('down', 'Follow', follow, { keys: 'f', tip: 'Stay at the newest message (f)' });
  const copying = button('table', 'Copy', copy, { keys: 'c', tip: 'Copy the list as text (c)' });
  let shown = '';
  return {
    root: el(
      'div',
      { class: 'toolbar messages-bar' },
      el('label', {}, el('span', {}, 'Severity'), severity),
      el('label', {}, el('span', {}, 'Origin'), origin),
      following,
      copying,
    ),
    /** Switches to the next choice of 'severity' or 'origin'. */
    turn: (key) => host.go({ [key]: nextOf(key === 'origin' ? origin : severity) }, { replace: true }),
    show(follows) {
      const { place } = host;
      const list = originsWith(host);
      const now = JSON.stringify(list.map((one) => [one.origin, one.name]));
      if (now !== shown) {
        shown = now;
        origin.replaceChildren(
          option('', 'all'),
          ...list.map((one) => option(one.origin, one.name === one.origin ? one.name : `${one.name} (${one.origin})`)),
        );
      }
      origin.value = place.origin;
      severity.value = place.severity;
      setAttr(following, 'aria-pressed', String(follows));
    },
  };
}

/** A link may name an origin without messages. */
function originsWith({ profile, place: { origin } }) {
  const list = origins(profile.messages);
  if (origin !== '' && !list.some((one) => one.origin === origin)) list.push({ origin, name: origin, count: 0 });
  return list;
}
