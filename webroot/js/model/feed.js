// feed.js - applies the events of the stream to the profile in order, and fetches a snapshot if one is missing.
//
// While a snapshot is fetched, deltas wait and are then applied to it, so that a busy target cannot keep the page
// fetching for ever.

const waitingMost = 100;

export class Feed {
  /** `fetchSnapshot()` promises a snapshot; `changed()` is called after each change of the profile. */
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
