// editor.js - which editor the reader has: asked once, kept by the browser.

import { button, el, setText } from '../../dom.js';
import { editors, templateTrouble } from '../../model/editor.js';

const key = 'miniprofd.editor';
const own = 'own';

function stored() {
  try {
    const { id, template } = JSON.parse(localStorage.getItem(key) ?? '{}');
    if (id === own && templateTrouble(template ?? '') === '') return { id, title: 'editor', template };
    return editors.find((editor) => editor.id === id) ?? null;
  } catch {
    return null;
  }
}

/** `changed()` is called after another editor was chosen. */
export function createEditorChoice(host, changed) {
  let chosen = stored();

  function keep(editor) {
    chosen = editor;
    try {
      localStorage.setItem(key, JSON.stringify({ id: editor.id, template: editor.template }));
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
    host.toast('info', `Editor: ${editor.id === own ? editor.template : editor.title}`);
    changed();
  }

  /** Asks for a link of the reader's own making. */
  function askOwn() {
    const trouble = el('p', { class: 'editor-trouble', role: 'alert' });
    const input = el('input', {
      type: 'text',
      class: 'mono',
      id: 'editor-template',
      value: chosen?.template ?? 'myeditor://open?file={path}&line={line}',
      spellcheck: 'false',
      autocapitalize: 'off',
    });
    const form = el(
      'form',
      { class: 'editor-form' },
      el(
        'label',
        { for: 'editor-template' },
        'A link with {path} and {line} in it, which your system opens with your editor:',
      ),
      input,
      trouble,
      el('button', { type: 'submit', class: 'button primary' }, 'Use this link'),
    );
    const dialog = el(
      'dialog',
      { 'aria-label': 'Link to your editor' },
      el(
        'div',
        { class: 'dialog-head' },
        el('h2', {}, 'Link to your editor'),
        button('close', 'Close', () => dialog.close(), { iconOnly: true }),
      ),
      form,
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const template = input.value.trim();
      setText(trouble, templateTrouble(template));
      if (trouble.textContent !== '') return;
      dialog.close();
      keep({ id: own, title: 'editor', template });
    });
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    input.select();
  }

  return {
    chosen: () => chosen,
    menu(anchor) {
      const mark = (id) => (chosen?.id === id ? 'chosen' : '');
      host.openMenu(anchor, 'Editor', [
        ...editors.map((editor) => ({ label: editor.title, side: mark(editor.id), run: () => keep(editor) })),
        { label: 'Another …', side: mark(own), run: askOwn },
      ]);
    },
  };
}
