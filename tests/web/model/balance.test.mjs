// balance.test.mjs - the ledger as text.
import assert from 'node:assert/strict';
import test from 'node:test';

import { balanceText } from '../../../webroot/js/model/balance.js';

const told = (bytes) => balanceText('bytes', { ledger: { bytes } });

test('bytes of packets in text are shown with the bytes of the text, and with those read twice', () => {
  const row = { came: 3000, in_packets: 1400, before_first: 20, between_packets: 0, cut_off: 0, waiting: 0 };
  assert.equal(told({ ...row, came: 1420, encoding: 0, read_again: 0 }), '1.42 kB = 1.40 kB in packets + 20 B before the first one');
  assert.equal(
    told({ ...row, encoding: 1600, read_again: 20 }),
    '3.00 kB + 20 B read again = 1.40 kB in packets + 20 B before the first one + 1.60 kB digits and other text around packets',
  );
});
