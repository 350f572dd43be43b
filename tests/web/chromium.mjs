// chromium.mjs - finds and starts the system's Chromium for the tests, with nothing kept between runs.

import { existsSync } from 'node:fs';

// Chromium without its own windows paints and lays out the same pages for half of the work.
const shells = ['/usr/bin/chromium-headless-shell'];
const whole = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const places = [process.env.CHROMIUM, ...shells, ...whole];
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--process-per-site',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The popups of the address bar are pages, too, and take longer to start than ours. This flag replaces the one of
  // playwright, of which the rest is repeated where it matters.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,MediaRouter,DialMediaRouteProvider,Translate',
];

/** Why no browser can be started, or ''. */
export async function missing() {
  if (!places.some((place) => place && existsSync(place)))
    return 'no chromium (install the Debian package "chromium")';
  try {
    await import('playwright-core');
  } catch {
    return 'no playwright-core (run "npm ci" in tests/web)';
  }
  return '';
}

/**
 * A browser with a fresh profile; playwright makes and removes its directory. `more` are further flags. `asReadersHaveIt`: with its windows
 * where there is such a one, for measurements.
 */
export async function launch(more = [], { asReadersHaveIt = false } = {}) {
  const { chromium } = await import('playwright-core');
  const from = asReadersHaveIt ? [process.env.CHROMIUM, ...whole, ...shells] : places;
  const executablePath = from.find((place) => place && existsSync(place));
  return chromium.launch({ executablePath, args: [...flags, ...more] });
}
