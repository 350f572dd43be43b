// bar.js - the bar of the Source view: the function, the place in its file, and the way to an editor.

import { button, el, icon, setAttr, setText } from '../../dom.js';
import { editorLink } from '../../model/editor.js';
import { hottest } from '../../model/source.js';
import { createEditorChoice } from './editor.js';
import { createChooser } from './chooser.js';

/**
 * `on.choose(id)` is called for a function, `on.turn(pane)` for a half to show where there is room for one;
 * `on.place()` gives { path, file, line } of the row that is meant, or null.
 */
export function createSourceBar(host, on) {
  const chooser = createChooser(() => hottest(host.profile), on.choose);
  const whereText = el('bdi');
  const where = el('span', { class: 'source-place mono' }, whereText);
  const copyButton = button('copy', 'Copy', copy, {
    iconOnly: true,
    keys: 'y',
    tip: 'Copy file and line (y)',
  });
  const editors = createEditorChoice(host, () => host.redraw());
  const openText = el('span');
  const openLink = el('a', { class: 'button source-open', 'aria-keyshortcuts': 'o' }, icon('editor'), openText);
  const editorButton = button('down', 'Choose the editor', chooseEditor, { iconOnly: true, keys: 'Shift+O' });
  setAttr(editorButton, 'aria-haspopup', 'menu');
  const switches = ['source', 'code'].map((pane) =>
    el(
      'button',
      { type: 'button', 'data-pane': pane, onclick: () => on.turn(pane) },
      pane === 'code' ? 'Instructions' : 'Source',
    ),
  );
  const choice = el(
    'div',
    { class: 'choice source-switch', role: 'group', 'aria-label': 'Half shown' },
    ...switches,
  );
  const root = el(
    'div',
    { class: 'source-bar' },
    chooser.root,
    el('div', { class: 'source-where' }, where, copyButton),
    el('div', { class: 'source-acts' }, openLink, editorButton),
    choice,
  );

  function copy() {
    const now = on.place();
    if (now === null) return false;
    navigator.clipboard?.writeText(`${now.path}:${now.line}`).then(
      () => host.toast('ok', `Copied ${now.path}:${now.line}`),
      () => host.toast('bad', 'The browser does not let this page copy.'),
    );
    return true;
  }

  function chooseEditor() {
    editors.menu(editorButton);
  }

  function openEditor() {
    if (on.place() === null) return false;
    const why = 'The ELF does not tell in which directory this file was compiled.';
    if (editors.chosen() === null) chooseEditor();
    else if (openLink.hasAttribute('href')) openLink.click();
    else host.toast('bad', 'No absolute path', why);
    return true;
  }

  // Without an address the link is a button that asks for an editor, or says why there is none.
  openLink.addEventListener('click', (event) => {
    if (openLink.hasAttribute('href')) return;
    event.preventDefault();
    openEditor();
  });
  openLink.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || openLink.hasAttribute('href')) return;
    event.preventDefault();
    openEditor();
  });

  function showEditor(now) {
    const editor = editors.chosen();
    const link = now === null || editor === null ? '' : editorLink(editor.template, now);
    setText(openText, editor === null ? 'Open in editor' : `Open in ${editor.title}`);
    setAttr(openLink, 'aria-label', openText.textContent);
    setAttr(openLink, 'href', link === '' ? null : link);
    setAttr(openLink, 'role', link === '' ? 'button' : null);
    setAttr(openLink, 'tabindex', link === '' ? '0' : null);
    setAttr(openLink, 'title', link === '' ? 'Open the line in your editor (o)' : `${link} (o)`);
  }

  return {
    root,
    copy,
    openEditor,
    chooseEditor,
    focus: () => chooser.focus(),
    /** `name` of the function shown, '' for none; `hasBoth`: whether there are two halves to switch between. */
    show(name, hasBoth) {
      const now = on.place();
      chooser.show(name);
      setText(whereText, now === null ? '' : `${now.file}:${now.line}`);
      setAttr(where, 'title', now === null ? null : `${now.path}:${now.line}`);
      copyButton.hidden = editorButton.hidden = openLink.hidden = now === null;
      showEditor(now);
      choice.hidden = !hasBoth;
      for (const one of switches) setAttr(one, 'aria-pressed', String(one.dataset.pane === host.place.pane));
    },
  };
}
