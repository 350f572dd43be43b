// versus.js - starts comparisons for the view, and shows their results.

import { setAttr } from '../../dom.js';
import { Latest } from '../../model/latest.js';
import { compareProfiles } from '../../model/versus.js';

async function make(host, held, profile, place) {
  const base = host.asShown(held.profile);
  const [before, after] = place.swap ? [profile, base] : [base, profile];
  // Only a mark is known to be an earlier state of this run.
  const filed = host.after.held !== null;
  const ranged = filed || held.ranged || place.range !== '';
  const over = host.live.source.state === 'ended' && held.profile.sequence === profile.sequence;
  const mayGrow = held.kind === 'mark' && held.run === host.run && !place.swap && !ranged && !over;
  return { held, over: over && held.kind === 'mark' && !ranged, made: await compareProfiles(before, after, place, mayGrow, host.layOver) };
}

function take(view, { held, over, made }) {
  const { host } = view;
  if (host.base.held !== held) return; // another base was chosen since
  const former = view.versus?.aligned.functions;
  view.versus = { ...made, heldId: held.id, over };
  const now = view.versus.aligned.functions;
  // Function numbers keep their meaning unless names have changed.
  if (former?.some(({ label }, id) => now[id]?.label !== label)) view.stage.select(-1);
  host.redraw();
}

/** Makes the comparisons of this view, one at a time. */
export const createLatest = (view) =>
  new Latest(
    (held, profile, place) => make(view.host, held, profile, place),
    (answer) => take(view, answer),
  );

/** A zoom in the callers' tree does not apply here. */
export const zoomed = ({ place }) => (place.inverted ? [] : place.zoom);

/** The last comparison is shown until the next one is ready, unless it is of another base. */
export function wantVersus(view) {
  const { host, latest, stage } = view;
  const { base, after, place } = host;
  const { held } = base;
  const profile = after.held ? host.asShown(after.held.profile) : host.profile;
  view.wants = held !== null && profile.loaded;
  if (view.versus !== null && (!view.wants || view.versus.heldId !== held.id)) {
    view.versus = null;
    stage.select(-1);
  }
  if (!view.wants) {
    setAttr(view.root, 'data-behind', null);
    return;
  }
  if (view.compared.profile !== profile) view.compared = { profile, number: view.compared.number + 1 };
  const wishes = [place.idle, place.unit, place.measure, place.order, place.side, place.since, place.swap];
  const what = [held.id, view.compared.number, host.run, place.range, ...wishes].join('|');
  latest.want(what, `${profile.sequence}|${profile.named}`, () => [held, profile, place]);
  setAttr(view.root, 'data-behind', latest.behind ? '' : null);
  if (view.versus !== null) stage.show(view.versus.frames, zoomed(host).map(view.versus.aligned.idOf));
}
