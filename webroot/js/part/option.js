// option.js - cycles through options, for keys.

/** Sets place[key] to the option after the present one; after an unknown option, to the first. */
export function nextOption(host, key, options) {
  const to = options[(options.indexOf(host.place[key]) + 1) % options.length];
  host.go({ [key]: to }, { replace: true });
}
