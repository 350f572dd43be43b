// mock-history.mjs - the history of the mock's link: twenty minutes, two of them without a connection.

export function historyOf(link) {
  const [now, step, n] = [Date.now(), 2000, 600];
  const column = (of) => Array.from({ length: n }, (_, i) => (i > 300 && i <= 360 ? null : of(i)));
  const last = { crc_errors: now - 600000, framing_errors: now - 1200000, records_lost: now - 30000 };
  return {
    now,
    from: now - n * step,
    step,
    bytes: column((i) => 30000 + 8000 * Math.sin(i / 20)),
    calls: column((i) => 2000 + 500 * Math.sin(i / 20)),
    errors: column((i) => (i === 299 ? 6 : 0)),
    last_at: Object.fromEntries(Object.keys(link).map((key) => [key, link[key] > 0 ? (last[key] ?? null) : null])),
  };
}
