// option.js - the next of some options, for keys that go round them.

/** Goes to the option of place[key] after the one there is; options that are gone count as the one before the first. */
export function nextOption(host, key, options) {
  const to = options[(options.indexOf(host.place[key]) + 1) % options.length];
  host.go({ [key]: to }, { replace: true });
}
