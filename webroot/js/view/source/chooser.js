// chooser.js - a box to type a function's name into, with a list below that is narrowed by it.

import { el, setAttr, setText } from '../../dom.js';
import { percent } from '../../model/format.js';
import { matcher } from '../../model/search.js';

const shownMost = 100;

/** `list()` gives { id, fn, share } in the order to offer them; `choose(id)` is called with the one taken. */
export function createChooser(list, choose) {
  let offered = [];
  let active = -1;
  let current = '';

  const options = el('ul', {
    class: 'chooser-list',
    id: 'chooser-list',
    role: 'listbox',
    'aria-label': 'Functions, hottest first',
    hidden: true,
  });
  const input = el('input', {
    type: 'text',
    class: 'mono',
    role: 'combobox',
    placeholder: 'Choose a function',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    'aria-label': 'Function',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': 'chooser-list',
  });
  const root = el('div', { class: 'chooser' }, input, options);

  function close() {
    options.hidden = true;
    active = -1;
    setAttr(input, 'aria-expanded', 'false');
    setAttr(input, 'aria-activedescendant', null);
  }

  function take(id) {
    close();
    input.blur();
    choose(id);
  }

  function option({ id, fn, share }, i) {
    return el(
      'li',
      {
        role: 'option',
        id: `chooser-${i}`,
        'aria-selected': 'false',
        title: fn.name,
        onpointerdown: (event) => event.preventDefault(), // or the box would lose the focus, and the list close
        onclick: () => take(id),
      },
      el('span', { class: 'mono' }, fn.name),
      el('span', { class: 'chooser-share' }, percent(share)),
    );
  }

  /** Offers what the typed text matches; all when it was not changed. */
  function offer(typed) {
    const match = matcher(typed);
    const found = match.empty ? list() : list().filter(({ fn }) => match.test(fn.name));
    offered = found.slice(0, shownMost);
    options.replaceChildren(...offered.map(option));
    if (found.length === 0)
      options.append(el('li', { class: 'chooser-note', role: 'presentation' }, 'No function matches.'));
    if (found.length > shownMost) {
      const more = `${found.length - shownMost} more: type a part of the name.`;
      options.append(el('li', { class: 'chooser-note', role: 'presentation' }, more));
    }
    options.hidden = false;
    setAttr(input, 'aria-expanded', 'true');
    go(offered.length > 0 && !match.empty ? 0 : -1);
  }

  function go(to) {
    options.children[active]?.setAttribute('aria-selected', 'false');
    active = to;
    options.children[active]?.setAttribute('aria-selected', 'true');
    options.children[active]?.scrollIntoView({ block: 'nearest' });
    setAttr(input, 'aria-activedescendant', active < 0 ? null : `chooser-${active}`);
  }

  input.addEventListener('focus', () => {
    input.select();
    offer('');
  });
  input.addEventListener('input', () => offer(input.value));
  input.addEventListener('blur', () => {
    close();
    input.value = current;
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (options.hidden) offer('');
      else if (offered.length > 0)
        go(
          (active + (event.key === 'ArrowDown' ? 1 : active < 0 ? 0 : -1) + offered.length) % offered.length,
        );
    } else if (event.key === 'Enter' && offered[active] !== undefined) {
      take(offered[active].id);
    } else if (event.key === 'Escape') {
      input.blur();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    root,
    focus: () => input.focus(),
    /** The name shown while nothing is typed. */
    show(name) {
      current = name;
      if (document.activeElement !== input && input.value !== name) input.value = name;
      setAttr(input, 'title', name || null);
    },
  };
}

/** The same functions as buttons, where there is room for nothing else. */
export function createOffer(choose) {
  const rows = el('ul', { class: 'offer-list' });
  const title = el('h2');
  const note = el('p');
  return {
    root: el('div', { class: 'offer', hidden: true }, title, note, rows),
    show(heading, text, list) {
      setText(title, heading);
      setText(note, text);
      const key = list.map(({ id }) => id).join();
      if (rows.dataset.key !== key) {
        rows.dataset.key = key;
        rows.replaceChildren(
          ...list.map(({ id, fn }) =>
            el(
              'li',
              {},
              el(
                'button',
                { type: 'button', title: fn.name, onclick: () => choose(id) },
                el('span', { class: 'mono' }, fn.name),
                el('span', { class: 'chooser-share' }),
              ),
            ),
          ),
        );
      }
      list.forEach(({ share }, i) =>
        setText(rows.children[i].firstElementChild.lastElementChild, percent(share)),
      );
    },
  };
}
