// reporter.mjs - TAP, closed with how long the tests of each file took.

import { basename } from 'node:path';
import { tap } from 'node:test/reporters';

export default async function* report(events) {
  const spentMs = new Map();
  async function* watched() {
    for await (const event of events) {
      const { file, nesting, details } = event.data;
      if (/^test:(pass|fail)$/.test(event.type) && nesting === 0 && file !== undefined)
        spentMs.set(file, (spentMs.get(file) ?? 0) + details.duration_ms);
      yield event;
    }
  }
  yield* tap(watched());
  for (const [file, ms] of [...spentMs].sort((a, b) => b[1] - a[1]))
    yield `# ${(ms / 1000).toFixed(1)} s ${basename(file)}\n`;
}
