// The view that the page opens on.

import assert from 'node:assert/strict';
import test from 'node:test';

import { openingView } from '../../../webroot/js/model/opening.js';
import { Profile } from '../../../webroot/js/model/profile.js';
import { folded } from './support.mjs';

function told(part) {
  const profile = new Profile();
  profile.load({ sequence: 1, ...part });
  return openingView(profile);
}

test('the first view is the one that has data, and none before data arrives', () => {
  const functions = [{ id: 0, name: 'a', calls: 0, samples: 0 }];
  const checkpoints = [{ id: 0, name: 'pair', count: 3 }];
  const messages = [{ number: 0, text: 'hello' }];
  assert.equal(openingView(new Profile()), null);
  assert.equal(told({ functions }), null);
  assert.equal(told({ functions, messages }), 'messages');
  assert.equal(told({ functions, checkpoints, messages }), 'checkpoints');
  assert.equal(told({ functions: [{ ...functions[0], samples: 2 }], checkpoints }), 'overview');
  assert.equal(openingView(folded('main;a 3 1')), 'overview');
});
