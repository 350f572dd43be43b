// chromium.mjs - finds and starts the system's Chromium for the tests; nothing is kept between runs.

import { existsSync } from 'node:fs';

// The headless shell lays out and paints the same pages with half the work.
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
  // The popups of the address bar are pages, which take longer to start than miniprofd's. This flag replaces
  // playwright's; the features of that one that matter are repeated here.
  '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,MediaRouter,DialMediaRouteProvider,Translate',
];

/** Returns why no browser can be started, or ''. */
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
 * Starts a browser with a fresh profile; playwright makes and removes its directory. `more` are further flags. `asReadersHaveIt` prefers the
 * full browser to the headless shell, for measurements.
 */
export async function launch(more = [], { asReadersHaveIt = false } = {}) {
  const { chromium } = await import('playwright-core');
  const from = asReadersHaveIt ? [process.env.CHROMIUM, ...whole, ...shells] : places;
  const executablePath = from.find((place) => place && existsSync(place));
  return chromium.launch({ executablePath, args: [...flags, ...more] });
}
