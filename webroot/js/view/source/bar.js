// bar.js - the bar of the Source view: the function, its location, and the link to an editor.

import { button, el, setAttr, setText } from '../../dom.js';
import { hottest } from '../../model/source.js';
import { createChoice } from '../../part/choice.js';
import { createModes } from '../../part/modes.js';
import { Chooser } from './chooser.js';
import { createEditorLink } from './editor-link.js';

/**
 * `on.choose(id)` is called for a function, `on.turn(pane)` for the pane to show if there is room for one only;
 * `on.place()` returns { path, file, line } of the selected row, or null.
 */
export function createSourceBar(host, on) {
  const chooser = new Chooser(() => hottest(host.profile), on.choose);
  const whereText = el('bdi');
  const where = el('span', { class: 'source-place mono' }, whereText);
  const copy = () => copyPlace(host, on.place());
  const copyButton = button('copy', 'Copy', copy, { iconOnly: true, keys: 'y', tip: 'Copy file and line (y)' });
  const editor = createEditorLink(host, on.place);
  const halves = createChoice(
    'Half shown',
    [
      ['source', 'Source'],
      ['code', 'Instructions'],
    ],
    on.turn,
  );
  halves.root.classList.add('source-switch');
  const modes = createModes(host);
  return {
    root: el(
      'div',
      { class: 'source-bar' },
      modes.root,
      chooser.root,
      el('div', { class: 'source-where' }, where, copyButton),
      editor.root,
      halves.root,
    ),
    copy,
    openEditor: editor.open,
    chooseEditor: editor.choose,
    focus: () => chooser.focus(),
    /** `name` of the function shown, '' for none; `hasBoth`: there are two panes to switch between. */
    show(name, hasBoth) {
      const now = on.place();
      modes.show();
      chooser.show(name);
      setText(whereText, now === null ? '' : `${now.file}:${now.line}`);
      setAttr(where, 'title', now === null ? null : `${now.path}:${now.line}`);
      copyButton.hidden = now === null;
      editor.show(now);
      halves.root.hidden = !hasBoth;
      halves.show(host.place.pane);
    },
  };
}

function copyPlace(host, place) {
  if (place === null) return false;
  host.copy(`${place.path}:${place.line}`, `${place.path}:${place.line}`);
  return true;
}
