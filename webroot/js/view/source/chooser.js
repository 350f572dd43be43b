// chooser.js - a text box for a function's name, with a list of matches below.

import { el, setAttr } from '../../dom.js';
import { percent } from '../../model/format.js';
import { tipOf } from '../../model/names.js';
import { matcher, matchesFunction } from '../../model/search.js';

const shownMost = 100;

export class Chooser {
  #list;
  #choose;
  #offered = [];
  #active = -1;
  #current = '';
  #options = el('ul', {
    class: 'chooser-list',
    id: 'chooser-list',
    role: 'listbox',
    'aria-label': 'Functions, hottest first',
    hidden: true,
  });
  #input = el('input', {
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

  /** `list()` returns { id, fn, share } in order; `choose(id)` is called with the selected one. */
  constructor(list, choose) {
    this.#list = list;
    this.#choose = choose;
    this.root = el('div', { class: 'chooser' }, this.#input, this.#options);
    this.#listen();
  }

  #listen() {
    const input = this.#input;
    input.addEventListener('focus', () => {
      input.select();
      this.#offer('');
    });
    input.addEventListener('input', () => this.#offer(input.value));
    input.addEventListener('blur', () => {
      this.#close();
      input.value = this.#current;
    });
    input.addEventListener('keydown', (event) => {
      if (!this.#press(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  focus() {
    this.#input.focus();
  }

  /** Shows a name while the box is not being edited. */
  show(name) {
    this.#current = name;
    const input = this.#input;
    if (document.activeElement !== input && input.value !== name) input.value = name;
    setAttr(input, 'title', name || null);
  }

  #close() {
    this.#options.hidden = true;
    this.#active = -1;
    setAttr(this.#input, 'aria-expanded', 'false');
    setAttr(this.#input, 'aria-activedescendant', null);
  }

  #take(id) {
    this.#close();
    this.#input.blur();
    this.#choose(id);
  }

  #option({ id, fn, share }, i) {
    return el(
      'li',
      {
        role: 'option',
        id: `chooser-${i}`,
        'aria-selected': 'false',
        title: tipOf(fn.name),
        onpointerdown: (event) => event.preventDefault(), // keeps the focus in the box, so that the list stays open
        onclick: () => this.#take(id),
      },
      el('span', { class: 'mono' }, fn.name),
      el('span', { class: 'chooser-share' }, percent(share)),
    );
  }

  /** Lists functions that match the text, or all if it is unchanged. */
  #offer(typed) {
    const match = matcher(typed);
    const found = match.empty ? this.#list() : this.#list().filter(({ fn }) => matchesFunction(match, fn));
    const options = this.#options;
    this.#offered = found.slice(0, shownMost);
    options.replaceChildren(...this.#offered.map((one, i) => this.#option(one, i)));
    const note = (text) => options.append(el('li', { class: 'chooser-note', role: 'presentation' }, text));
    if (found.length === 0) note('No function matches.');
    if (found.length > shownMost) note(`${found.length - shownMost} more: type a part of the name.`);
    options.hidden = false;
    setAttr(this.#input, 'aria-expanded', 'true');
    this.#go(this.#offered.length > 0 && !match.empty ? 0 : -1);
  }

  #go(to) {
    const { children } = this.#options;
    children[this.#active]?.setAttribute('aria-selected', 'false');
    this.#active = to;
    children[to]?.setAttribute('aria-selected', 'true');
    children[to]?.scrollIntoView({ block: 'nearest' });
    setAttr(this.#input, 'aria-activedescendant', to < 0 ? null : `chooser-${to}`);
  }

  #step(by) {
    const { length } = this.#offered;
    if (this.#options.hidden) this.#offer('');
    else if (length > 0) this.#go((this.#active + (by > 0 ? 1 : this.#active < 0 ? 0 : -1) + length) % length);
  }

  /** True when the key has done something here. */
  #press(key) {
    if (key === 'ArrowDown' || key === 'ArrowUp') this.#step(key === 'ArrowDown' ? 1 : -1);
    else if (key === 'Enter' && this.#offered[this.#active] !== undefined) this.#take(this.#offered[this.#active].id);
    else if (key === 'Escape') this.#input.blur();
    else return false;
    return true;
  }
}
