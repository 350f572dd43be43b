// mock-figures.mjs - the description of figures that a daemon sends first to a page.

import { readFileSync } from 'node:fs';

export const figures = JSON.parse(readFileSync(new URL('./mock-figures.json', import.meta.url), 'utf8'));

/** The figures that can have a limit. */
export const limitFigures = ['max', 'period', 'mean', 'p50', 'p90', 'p99', 'calls', 'rate', 'load', 'self'];
