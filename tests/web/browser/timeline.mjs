// timeline.mjs - what the tests of the timeline share.

import { text } from './support.mjs';

export const canvas = (page) => page.locator('.timeline-scroll canvas');
export const head = (page) => page.locator('.timeline-head canvas');
/** The lanes are painted: buttons say what they do from then on. */
export const ready = (page) => page.locator('.timeline .toolbar [aria-pressed]').first().waitFor({ state: 'attached' });
export const name = (page) => text(page, '.timeline .detail-name');
/** What the line below the timeline says of its item, read at one moment, so that both are of the same item: [name, duration]. */
export const nameAndDuration = (page) =>
  page.evaluate(() => {
    const line = document.querySelector('.timeline .details');
    const figure = [...line.querySelectorAll('.detail-figures > div')].find((one) => one.querySelector('dt').textContent === 'Duration');
    return [line.querySelector('.detail-name').textContent, figure.querySelector('dd').textContent];
  });
