// checkpoints.js - rows and columns of the table of checkpoint pairs, and the scale of its bars.

import * as format from './format.js';
import { sortBy } from './rows.js';

const named = (name, number) => (name ? `${name} (${number})` : String(number));

/** The names of both ends of a pair, or one if they are the same; files of earlier versions have no end. */
const ends = (from, to) => (to === null || to === undefined || to === from ? from : `${from} → ${to}`);

function topicOf(row) {
  const end = row.to_topic ?? row.topic;
  return end === row.topic
    ? named(row.topic_name, row.topic)
    : ends(named(row.topic_name, row.topic), named(row.to_topic_name, end));
}

/** Checkpoint numbers are per topic, so a pair across two topics names both. */
function pathOf(row) {
  const end = row.to_topic ?? row.topic;
  const from = named(row.from_name, row.from);
  const to = named(row.to_name, row.to);
  return end === row.topic
    ? `${from} → ${to}`
    : `${named(row.topic_name, row.topic)}: ${from} → ${named(row.to_topic_name, end)}: ${to}`;
}

/**
 * One row for each pair of checkpoints and context, and for each average that the target computed: { row, kind:
 * 'pair'|'average', name, topic, path, context, ... }.
 */
export function checkpointRows(profile) {
  return [...profile.checkpoints].map(([id, row]) => {
    const isPair = row.topic !== null && row.topic !== undefined;
    const path = isPair ? pathOf(row) : '';
    return {
      id,
      row,
      kind: isPair ? 'pair' : 'average',
      name: row.name ?? path,
      topic: isPair ? topicOf(row) : '',
      path: isPair ? path : 'averaged by the target',
      context: ends(row.context ?? '', row.to_context),
      none: isPair && row.count === 0,
    };
  });
}

const ticks = (id, title, tip) => ({
  id,
  title,
  tip,
  of: ({ row }) => row[`${id}_ticks`] ?? null,
  text: ({ row }, ticksPerSecond) => format.cellDuration(row[`${id}_ticks`], ticksPerSecond),
});

export const columns = [
  { id: 'name', title: 'Measured', tip: 'Name of the pair, as the names file has it', key: true, text: (r) => r.name },
  { id: 'topic', title: 'Topic', tip: 'Topic of both checkpoints, or of each', text: (r) => r.topic },
  { id: 'path', title: 'From → to', tip: 'Checkpoint it begins at and checkpoint it ends at', text: (r) => r.path },
  {
    id: 'context',
    title: 'World',
    tip: 'Secure or non-secure; the calibration of the one in which it ends has been taken off',
    text: (r) => r.context,
  },
  {
    id: 'count',
    title: 'Count',
    tip: 'How often it was measured',
    of: ({ row }) => row.count ?? null,
    text: ({ row }) => format.count(row.count),
  },
  ticks('first', 'First', 'The first measurement: caches are cold'),
  ticks('min', 'Min', 'Shortest'),
  ticks('mean', 'Mean', 'On average'),
  ticks('max', 'Max', 'Longest'),
];

/** Rows with a text that matches; all rows for an empty search. */
export function filterCheckpoints(rows, match) {
  if (match.empty) return rows;
  return rows.filter((row) => [row.name, row.topic, row.path, row.context].some((text) => match.test(text)));
}

export function sortCheckpoints(rows, by, rising) {
  return sortBy(rows, by, rising, (a, b) => a.id - b.id);
}

/** The columns that have a value in at least one row. */
export function checkpointColumns(rows) {
  return columns.filter((c) => rows.some((row) => (c.of ? c.of(row) !== null : c.text(row) !== '')));
}

/**
 * A logarithmic scale common to all rows, so that bars can be compared: { low, high, at(ticks) } with at() from 0 to 1;
 * null if no row has a value.
 */
export function logScale(rows) {
  let low = Infinity;
  let high = -Infinity;
  for (const { row } of rows) {
    for (const value of [row.min_ticks, row.mean_ticks, row.max_ticks]) {
      if (value === null || value === undefined) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (high < low) return null;
  const first = Math.log1p(low);
  const span = Math.log1p(high) - first;
  // A single value is drawn in the middle.
  return { low, high, at: (value) => (span > 0 ? (Math.log1p(value) - first) / span : 0.5) };
}
