// payload.js - asks for the bytes of a configuration.

import { el, setAttr, setText } from '../dom.js';
import { payloadOf } from '../model/device.js';
import { openDialog } from '../part/dialog.js';

const createInput = () =>
  el('input', {
    id: 'payload',
    type: 'text',
    placeholder: '0a 1b',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    'aria-describedby': 'payload-hint payload-error',
  });

/** Calls `send(hex)` with the bytes in hex digits, unless the user cancels. */
export function askForPayload(send) {
  const input = createInput();
  const error = el('output', { id: 'payload-error', for: 'payload' });
  const submit = el('button', { type: 'submit', class: 'button primary' }, 'Send');
  const cancel = el('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, 'Cancel');
  const form = el(
    'form',
    { class: 'payload' },
    el('label', { for: 'payload' }, 'Payload in hex digits'),
    input,
    el('p', { id: 'payload-hint' }, 'Up to 8 bytes. What they mean is up to the firmware.'),
    error,
    el('div', { class: 'payload-buttons' }, cancel, submit),
  );
  const dialog = openDialog('Send a configuration', form, { className: 'small-dialog' });
  input.addEventListener('input', () => {
    const { error: what = '' } = payloadOf(input.value);
    setText(error, what);
    setAttr(input, 'aria-invalid', what === '' ? null : 'true');
    submit.disabled = what !== '';
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { hex } = payloadOf(input.value);
    if (hex === undefined) return;
    dialog.close();
    send(hex);
  });
  input.focus();
}
