// limitform.js - the form for a new limit: a function, a figure and a value; or all in the first field, as for --limit.

import { el, setAttr, setText } from '../dom.js';
import { limitFigures, limitOf } from '../model/limits.js';
import { longestWords, triggerNames } from '../model/windows.js';

const field = (id, placeholder, more) => el('input', { id, type: 'text', placeholder, autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', 'aria-describedby': 'limit-hint limit-error', ...more });

/**
 * on: { api, live, figures (that can be limited) }. Returns root, and begin(name, figure), which fills in a function
 * ('' for none) and a figure and puts the cursor into the next empty field.
 */
export function createLimitForm(on) {
  const names = el('datalist', { id: 'limit-functions' }, ...triggerNames(on.live).map((value) => el('option', { value })));
  const form = {
    on,
    name: field('limit', 'control_cycle', { list: 'limit-functions' }),
    figure: el('select', { id: 'limit-figure', 'aria-label': 'Figure' }, ...limitFigures(on.figures).map(([value, text]) => el('option', { value }, text))),
    value: field('limit-value', '500us', { 'aria-label': 'Value' }),
    hint: el('p', { id: 'limit-hint' }),
    error: el('output', { id: 'limit-error', for: 'limit' }),
  };
  const set = el('button', { type: 'submit', class: 'button primary' }, 'Set');
  const root = el('form', { class: 'limit-form' }, el('label', { for: 'limit' }, 'Function'), form.name, names, form.figure, form.value, set, form.hint, form.error);
  root.addEventListener('submit', (event) => {
    event.preventDefault();
    submit(form);
  });
  root.addEventListener('input', () => tell(form));
  tell(form);
  return {
    root,
    begin(name, figure) {
      form.figure.value = figure;
      form.name.value = name;
      (name === '' ? form.name : form.value).focus();
      tell(form);
    },
  };
}

/** Shows the function's longest call, and in which modes the selected figure is exact. */
function tell({ on, name, figure, hint, value }) {
  const [, , says] = limitFigures(on.figures).find(([id]) => id === figure.value);
  setText(hint, [longestWords(on.live, name.value.trim()), says].filter(Boolean).join(' '));
  setAttr(value, 'placeholder', { rate: '1000/s', calls: '1000', load: '80%', self: '80%', period: '=50us±5us' }[figure.value] ?? '500us');
}

async function submit({ on, name, figure, value, error }) {
  const wish = limitOf(name.value, figure.value, value.value);
  try {
    if (wish.error) throw new Error(wish.error);
    if (wish.when) await on.api.setTrigger({ when: wish.when });
    else await on.api.setLimit(wish.limit);
    [name.value, value.value] = ['', ''];
    setText(error, '');
  } catch (problem) {
    setText(error, problem.message);
  }
  setAttr(name, 'aria-invalid', error.textContent === '' ? null : 'true');
}
