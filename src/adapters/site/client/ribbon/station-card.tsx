import type { ComponentChildren } from 'preact';
import type { Station } from '../api.js';
import { Attribution } from '../forecast/attribution.js';
import { useNow } from '../live/clock.js';
import { useLiveStation } from '../live/use-live-station.js';
import { type Now, readNow } from '../now/read-now.js';
import { Age } from '../parts/age.js';
import { isPast, shownTime } from '../past/past-model.js';
import { PastStrip } from '../past/past-strip.js';
import { SiteProvider, useSite } from '../site-context.js';
import { FittedRibbon } from './fitted-ribbon.js';
import { Hero } from './hero.js';
import { forecastOf } from './ribbon-data.js';

/** The picture in a frame of 320 × 340 pixels. */
const PICTURE = { width: 318, height: 172, gutter: 0, type: 14 };

/** A small card of a station: the sentence about the weather, the last 24 hours, and the forecast. @param heading the element of the name */
export function StationCard({
  station,
  now: first,
  heading: Heading = 'h4',
  children,
}: {
  readonly station: Station;
  readonly now: Now;
  readonly heading?: 'h1' | 'h4';
  readonly children?: ComponentChildren;
}) {
  const site = useSite();
  const now = useLiveStation(station.id, first, (api) => readNow(api, station.id));
  const present = useNow();
  const forecast = forecastOf(now, present);
  return (
    <article class="embed">
      <header>
        <Heading class="name" title={station.name}>
          {station.name}
        </Heading>
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
        {children}
        {forecast && <Attribution forecast={forecast} zone={station.time_zone} isShort />}
      </footer>
    </article>
  );
}
