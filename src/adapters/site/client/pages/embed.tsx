import type { Station } from '../api.js';
import { isOfCurrentWind, sectorIndex } from '../format/wind.js';
import { type Now, PRESSURES, readNow } from '../now/read-now.js';
import { RainAmount, useAmountFormat } from '../now/reading.js';
import { useNow } from '../live/clock.js';
import { useLiveStation } from '../live/use-live.js';
import type { PageDefinition } from '../page.js';
import { Age } from '../parts/age.js';
import { shownTime } from '../past/past-model.js';
import { PastStrip } from '../past/past-strip.js';
import { ShownValue } from '../parts/value.js';
import { SiteProvider, useSite } from '../site-context.js';

const DIRECTION = 'wind_from_direction';

interface EmbedData {
  readonly station: Station;
  readonly now: Now;
}

/** A card of 320 × 200 pixels for a frame of another site. The query of the card sets language, units and colors. */
export const embed: PageDefinition<EmbedData> = {
  load: async (api, { params }) => {
    const id = params['id'] ?? '';
    const [{ station }, now] = await Promise.all([
      api.get('/v1/stations/{id}', { path: { id } }),
      readNow(api, id),
    ]);
    return { station, now };
  },
  title: ({ station: { name } }, { text }) => `${name} · ${text.site.name}`,
  View: ({ data }) => {
    const { station } = data;
    const site = useSite();
    const { text } = site;
    const now = useLiveStation(station.id, data.now, (api) => readNow(api, station.id));
    return (
      <SiteProvider value={{ ...site, now: shownTime(now.last_seen, useNow()) }}>
        <article class="embed">
          <h1>
            <a
              href={`/stations/${encodeURIComponent(station.id)}`}
              target="_blank"
              rel="noopener"
              title={text.embed.more}
            >
              {station.name}
            </a>
          </h1>
          <p class="large">
            <ShownValue
              variable="air_temperature"
              metric={now.units['air_temperature']}
              latest={now.latest}
              checks={now.checks['air_temperature']}
            />
          </p>
          <Facts now={now} />
          <PastStrip station={station} lastSeen={now.last_seen} />
          <p class="card-age">
            <Age since={now.last_seen} interval={station.reporting_interval} />
          </p>
        </article>
      </SiteProvider>
    );
  },
};

function Facts({ now }: { readonly now: Now }) {
  const { text } = useSite();
  const amount = useAmountFormat();
  const direction = isOfCurrentWind(now.latest, DIRECTION) ? now.latest[DIRECTION]?.value : undefined;
  const pressure = PRESSURES.find((name) => name in now.latest);
  return (
    <dl>
      {'wind_speed' in now.latest && (
        <div>
          <dt>{text.variables['wind_speed']}</dt>
          <dd>
            <ShownValue variable="wind_speed" metric={now.units['wind_speed']} latest={now.latest} />
            {direction !== undefined && ` ${text.sectors[sectorIndex(direction)] ?? ''}`}
          </dd>
        </div>
      )}
      {now.today !== undefined && 'precipitation_amount' in now.latest && (
        <div>
          <dt>{text.station.rain.title}</dt>
          <dd>
            <RainAmount written={amount('precipitation_amount', 'mm', now.today.rain)} />
          </dd>
        </div>
      )}
      {pressure !== undefined && (
        <div>
          <dt>{text.variables[pressure]}</dt>
          <dd>
            <ShownValue variable={pressure} metric={now.units[pressure]} latest={now.latest} />
          </dd>
        </div>
      )}
    </dl>
  );
}
