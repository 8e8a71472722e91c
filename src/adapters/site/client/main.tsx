import { hydrate, render } from 'preact';
import { browserClient } from './browser-client.js';
import { Frame } from './frame.js';
import { startClock } from './live/clock.js';
import { currentTime } from './live/server-clock.js';
import { startNavigation } from './navigation.js';
import { findPage } from './pages/index.js';
import type { FirstState } from './render.js';
import { bearerToken, onSignInOrOut } from './session.js';
import { type Preferences, storePreferences, withoutPreferences } from './preferences.js';
import { type Site, SiteProvider } from './site-context.js';
import { loadText } from './text/languages.js';
import { titleOf, type Visit, visit } from './visit.js';

/** Starts the page in the browser: hydrates the first screen, then handles links within the site. */
async function start(
  root: HTMLElement,
  { outcome, redirectedTo, now, preferences: first, facts }: FirstState,
): Promise<void> {
  let preferences = first;
  let text = await loadText(preferences.language);
  const api = browserClient(bearerToken);
  const choosing = (chosen: Preferences) => void choose(chosen);
  const draw = (shown: Visit, time: number, put: typeof render) => {
    const site: Site = { text, preferences, api, now: time, ...navigation, choose: choosing, ...facts };
    document.title = titleOf(shown, site);
    put(
      <SiteProvider value={site}>
        <Frame {...shown} />
      </SiteProvider>,
      root,
    );
  };
  const navigation = startNavigation(
    ({ pathname }) => findPage(pathname) !== undefined,
    async ({ pathname, searchParams }) => {
      const newVisit = await visit(pathname, searchParams, api);
      return () => draw(newVisit, currentTime(), render);
    },
  );
  const choose = async (chosen: Preferences): Promise<void> => {
    storePreferences(chosen);
    preferences = chosen;
    text = await loadText(chosen.language);
    document.documentElement.lang = chosen.language;
    document.documentElement.dataset['theme'] = chosen.theme;
    navigation.replace(withoutPreferences(location.href));
    await navigation.reload();
  };
  const { pathname, searchParams } = new URL(location.href);
  draw(await visit(redirectedTo ?? pathname, searchParams, api, outcome), now, hydrate);
  startClock();
  onSignInOrOut(() => void navigation.reload());
}

/** Resolves after the browser has drawn the first screen, which the start of the page would delay; at once in a hidden window. */
async function drawn(): Promise<void> {
  if (!document.hidden) await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

const root = document.getElementById('page');
const state = document.getElementById('state');
if (root !== null && state !== null) {
  await drawn();
  await start(root, JSON.parse(state.textContent) as FirstState);
}
