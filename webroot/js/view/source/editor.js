// editor.js - the user's editor: asked for once, stored by the browser.

import { el, setText } from '../../dom.js';
import { openDialog } from '../../part/dialog.js';
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

function store({ id, template }) {
  try {
    localStorage.setItem(key, JSON.stringify({ id, template }));
  } catch {
    // Storage may be forbidden; then the choice lasts until the page is closed.
  }
}

/** `changed()` is called after another editor was selected. */
export function createEditorChoice(host, changed) {
  let chosen = stored();

  function keep(editor) {
    chosen = editor;
    store(editor);
    host.toast('info', `Editor: ${editor.id === own ? editor.template : editor.title}`);
    changed();
  }

  return {
    chosen: () => chosen,
    menu(anchor) {
      const mark = (id) => (chosen?.id === id ? 'chosen' : '');
      host.openMenu(anchor, 'Editor', [
        ...editors.map((editor) => ({ label: editor.title, side: mark(editor.id), run: () => keep(editor) })),
        { label: 'Another …', side: mark(own), run: () => askForLink(keep, chosen?.template) },
      ]);
    },
  };
}

/** Asks for a link template, and stores it. */
function askForLink(keep, template = 'myeditor://open?file={path}&line={line}') {
  const trouble = el('p', { class: 'editor-trouble', role: 'alert' });
  const input = el('input', {
    type: 'text',
    class: 'mono',
    id: 'editor-template',
    value: template,
    spellcheck: 'false',
    autocapitalize: 'off',
  });
  const words = 'A link with {path} and {line} in it, which your system opens with your editor:';
  const form = el(
    'form',
    { class: 'editor-form' },
    el('label', { for: 'editor-template' }, words),
    input,
    trouble,
    el('button', { type: 'submit', class: 'button primary' }, 'Use this link'),
  );
  const dialog = openDialog('Link to your editor', form);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const link = input.value.trim();
    setText(trouble, templateTrouble(link));
    if (trouble.textContent !== '') return;
    dialog.close();
    keep({ id: own, title: 'editor', template: link });
  });
  input.select();
}
