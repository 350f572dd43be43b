// model.test.mjs - tests the page's model: all files of model/ in one node process, since starting one takes longer than its tests.
//
//   node model.test.mjs

import { readdir } from 'node:fs/promises';

const folder = new URL('model/', import.meta.url);
const files = (await readdir(folder)).filter((file) => file.endsWith('.test.mjs')).sort();
for (const file of files) await import(new URL(file, folder));
