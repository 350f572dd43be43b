// mock-figures.mjs - what a daemon says of its figures when it greets a page.

import { readFileSync } from 'node:fs';

export const figures = JSON.parse(readFileSync(new URL('./mock-figures.json', import.meta.url), 'utf8'));
