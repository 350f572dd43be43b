// wanted.js - which frames the flame graph needs for the present place.

const leastShare = 1 / 20000; // of the callers' tree: some 30 times thinner than is visible

export const samplesThere = ({ profile }) => profile.provides('samples') && profile.samples?.total > 0;

/** The unit of widths: place.unit, or time if there are no samples. */
export const unitWanted = (host) =>
  host.place.unit === 'samples' && !samplesThere(host) ? 'time' : host.place.unit;

/**
 * { rule() for buildFrames (model/frames.js), what (a text that identifies the rule), path (the functions zoomed to) }.
 */
export function ruleOf(host) {
  const { profile, place } = host;
  const ids = (labels) => new Set(labels.map((label) => profile.idOf(label)).filter((id) => id >= 0));
  const path = place.zoom.map((label) => profile.idOf(label));
  const searching = !host.match.empty;
  const { inverted, collapse, order, hide, merge, focus } = place;
  const unit = unitWanted(host);
  const parts = [profile.named, host.paused, unit, inverted, order, collapse, hide, merge, focus, place.idle];
  return {
    path,
    what: [...parts, inverted && [path, searching]].join('|'),
    rule: () => ({
      unit,
      inverted,
      collapse,
      order,
      roots: true,
      hide: ids(hide),
      merge: ids(merge),
      focus: ids(focus),
      zoom: path,
      least: searching ? 0 : leastShare, // a search must find all matches
    }),
  };
}
