import { useNow } from '../live/clock.js';
import { useLiveStation } from '../live/use-live-station.js';
import { readNow } from '../now/read-now.js';
import type { PageDefinition } from '../page.js';
import { Age } from '../parts/age.js';
import { isPast, shownTime } from '../past/past-model.js';
import { PastStrip } from '../past/past-strip.js';
import { FittedRibbon } from '../ribbon/fitted-ribbon.js';
import { Hero } from '../ribbon/hero.js';
import { SiteProvider, useSite } from '../site-context.js';
import { stationNow, type StationNow } from './station-now.js';

/** The picture in a frame of 320 × 340 pixels. */
const PICTURE = { width: 318, height: 172, gutter: 0, type: 14 };

/**
 * A card for a frame of another site: the sentence about the weather, and the last 24 hours. In a low frame, the style sheet leaves
 * out the picture. The query of the card sets language, units and colors.
 */
export const embed: PageDefinition<StationNow> = {
  ...stationNow,
  View: ({ data }) => {
    const { station } = data;
    const site = useSite();
    const now = useLiveStation(station.id, data.now, (api) => readNow(api, station.id));
    const href = `/stations/${encodeURIComponent(station.id)}`;
    const present = useNow();
    return (
      <article class="embed">
        <header>
          <h1 title={station.name}>{station.name}</h1>
          <p class="quiet">
            <Age since={now.last_seen} interval={station.reporting_interval} zone={station.time_zone} />
          </p>
        </header>
        <SiteProvider value={{ ...site, ...shownTime(now.last_seen, present) }}>
          <Hero station={station} now={now} />
          <FittedRibbon
            station={station}
            now={now}
            first={PICTURE}
            isOld={isPast(now.last_seen, present)}
            hasWind={false}
          />
        </SiteProvider>
        <PastStrip station={station} lastSeen={now.last_seen} />
        <footer>
          <a href={href} target="_blank" rel="noopener">
            {site.text.embed.more}
          </a>
        </footer>
      </article>
    );
  },
};
