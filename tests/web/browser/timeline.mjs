// timeline.mjs - functions that the tests of the timeline share.

import { text } from './support.mjs';

export const canvas = (page) => page.locator('.timeline-scroll canvas');
export const head = (page) => page.locator('.timeline-head canvas');
/** Waits until the lanes are painted: from then on buttons show their state. */
export const ready = (page) => page.locator('.timeline .toolbar [aria-pressed]').first().waitFor({ state: 'attached' });
export const name = (page) => text(page, '.timeline .detail-name');
/** Returns [name, duration] from the line below the timeline, both read at one moment so that they belong to the same item. */
export const nameAndDuration = (page) =>
  page.evaluate(() => {
    const line = document.querySelector('.timeline .details');
    const figure = [...line.querySelectorAll('.detail-figures > div')].find((one) => one.querySelector('dt').textContent === 'Duration');
    return [line.querySelector('.detail-name').textContent, figure.querySelector('dd').textContent];
  });
