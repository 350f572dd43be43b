// loads.js - the load of each context over time, for its row.

import { contextColours } from '../../model/contextcolour.js';
import { percent } from '../../model/format.js';
import { loadCurve } from '../../model/loadcurve.js';
import { Picture } from '../../model/picture.js';
import { Asked } from '../../part/asked.js';
import { createSpark } from '../../part/spark.js';

const columns = 60;
const rows = 3000; // of the timeline
const everyMs = 2000;

/** { update(), isThere(), column }: a table column for the data of update(); omitted while `isThere()` is false. */
export function createLoads(host) {
  const asked = host.fetchTimeline && new Asked((range) => host.fetchTimeline(range, rows, undefined, columns), host.fresh, everyMs);
  const loads = { host, asked, answer: null, bands: new Map(), most: 0 };
  return {
    isThere: () => loads.bands.size > 0,
    update: () => updateLoads(loads),
    column: {
      id: 'curve',
      title: 'Load over time',
      tip: 'One scale for all rows',
      plain: true,
      cell() {
        const spark = createSpark();
        return { nodes: [spark.root], set: (row) => showLoad(loads, spark, row) };
      },
    },
  };
}

function updateLoads(loads) {
  const { host, asked } = loads;
  if (asked === null || !host.profile.provides('timeline')) return;
  asked.want(`${host.place.range}|${host.paused}|${host.whole.sequence}`, host.range);
  if (asked.answer === loads.answer) return;
  loads.answer = asked.answer;
  const curve = loadCurve(new Picture(loads.answer), columns, host.whole);
  loads.bands = new Map(curve?.bands.map(({ context, ran }) => [context, Array.from(ran)]));
  loads.most = Math.max(...[...loads.bands.values()].flat(), 0);
}

function showLoad({ host, bands, most }, spark, { id, name }) {
  const ran = bands.get(id) ?? [];
  const words = ran.length > 0 ? `Load of ${name}: up to ${percent(Math.max(...ran))}` : `No load of ${name} is known`;
  spark.show(ran, most, words, String(contextColours(host.whole).get(id) ?? 6));
}
