// mock-figures.mjs - what a daemon says of its figures when it greets a page.

import { readFileSync } from 'node:fs';

export const figures = JSON.parse(readFileSync(new URL('./mock-figures.json', import.meta.url), 'utf8'));

/** Those that a limit can be put on. */
export const limitFigures = ['max', 'period', 'mean', 'p50', 'p90', 'p99', 'calls', 'rate', 'load', 'self'];
