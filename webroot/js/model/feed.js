// feed.js - puts the events of the stream in order and onto the profile, and asks for a snapshot when one is
// missing.
//
// While a snapshot is being fetched, deltas go on arriving; they wait and are tried on top of it, so that a
// busy target cannot keep the page fetching for ever.

const waitingMost = 100;

export class Feed {
  /** `fetchSnapshot()` promises a snapshot; `changed()` is called after the profile has changed. */
  constructor(profile, fetchSnapshot, changed) {
    this.profile = profile;
    this.fetchSnapshot = fetchSnapshot;
    this.changed = changed;
    this.fetching = false;
    this.waiting = [];
  }

  snapshot(snapshot) {
    this.profile.load(snapshot);
    this.changed();
  }

  delta(delta) {
    if (this.fetching) {
      if (this.waiting.length < waitingMost) this.waiting.push(delta);
    } else if (delta.sequence <= this.profile.sequence) {
      // Known already: a reconnect, or a snapshot just fetched, may be ahead of the stream.
    } else if (this.profile.apply(delta)) {
      this.changed();
    } else {
      return this.refetch();
    }
    return Promise.resolve();
  }

  status(status) {
    this.profile.applyStatus(status);
    this.changed();
  }

  /** Fetches the whole snapshot; failures are left to the next event, since the stream reports them too. */
  async refetch() {
    if (this.fetching) return;
    this.fetching = true;
    this.waiting = [];
    try {
      this.profile.load(await this.fetchSnapshot());
    } catch {
      return;
    } finally {
      this.fetching = false;
    }
    for (const delta of this.waiting) this.profile.apply(delta);
    this.waiting = [];
    this.changed();
  }
}
