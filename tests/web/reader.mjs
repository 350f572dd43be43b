// reader.mjs - acts on the page as a reader does, and counts the actions.

import assert from 'node:assert/strict';

/** An action is a click, a key, a text typed and ended with Enter, or a file chosen in a file dialog. More than `most` actions fail. */
export function reader(page, most) {
  const done = [];
  const act = (what, run) => {
    done.push(what);
    assert.ok(done.length <= most, `more than ${most} actions: ${done.join(', ')}`);
    return run();
  };
  return {
    key: (key) => act(key, () => page.keyboard.press(key)),
    click: (place) => act(`click ${place}`, () => place.click()),
    say: (words) => act(words, () => page.keyboard.type(words).then(() => page.keyboard.press('Enter'))),
    choose: (asked, file) => act(file.name, async () => (await asked).setFiles(file)),
  };
}
