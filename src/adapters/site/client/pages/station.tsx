import type { ComponentType } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Inventory, Station } from '../api.js';
import { Charts } from '../charts/charts.js';
import { Cards } from '../now/cards.js';
import { StationHead } from '../now/head.js';
import { type Now, readNow } from '../now/read-now.js';
import { useInventory } from '../now/use-inventory.js';
import { useLiveStation } from '../live/use-live.js';
import { useNow } from '../live/clock.js';
import type { PageDefinition } from '../page.js';
import { isPast, shownTime, withLastWeek } from '../past/past-model.js';
import { PastStrip } from '../past/past-strip.js';
import { Alarms } from '../parts/alarms.js';
import { AlmanacCard } from '../sections/almanac/almanac.js';
import { Section, type SectionProps } from '../sections/section.js';
import { SiteProvider, useSite } from '../site-context.js';

export interface StationData {
  readonly station: Station;
  readonly inventory: Inventory;
  readonly now: Now;
  /** The climate section for visitors without JavaScript. The JSON for the browser does not contain this section. */
  readonly staticClimate?: ComponentType<SectionProps>;
}

const loadClimate = () => import('../sections/climate/climate.js');

/** The page of a station: newest values, charts, downloads and climate. */
export const station: PageDefinition<StationData> = {
  load: async (api, pageLocation) => {
    const id = pageLocation.params['id'] ?? '';
    const [about, now, staticClimate] = await Promise.all([
      api.get('/v1/stations/{id}', { path: { id } }),
      readNow(api, id),
      api.response !== undefined
        ? undefined
        : loadClimate().then(({ readStaticClimate }) => readStaticClimate(api, id, pageLocation)),
    ]);
    return {
      station: about.station,
      inventory: about.inventory as Inventory,
      now,
      ...(staticClimate && { staticClimate }),
    };
  },
  title: ({ station: { name } }, text) => `${name} · ${text.site.name}`,
  View: ({ data: { station: facts, inventory: known, now: first, staticClimate }, pageLocation }) => {
    const site = useSite();
    const present = useNow();
    const now = useLiveStation(facts.id, first, (api) => readNow(api, facts.id));
    const inventory = useInventory(facts.id, known, now);
    const time = shownTime(now.last_seen, present);
    const isOld = isPast(now.last_seen, present);
    const chartLocation = useMemo(
      () => (isOld ? withLastWeek(pageLocation) : pageLocation),
      [pageLocation, isOld],
    );
    return (
      <article class="station">
        <PastStrip station={facts} lastSeen={now.last_seen} />
        <SiteProvider value={{ ...site, now: time }}>
          <StationHead station={facts} lastSeen={now.last_seen} />
          <Alarms alarms={now.alarms} timeZone={facts.time_zone} />
          <Cards station={facts} now={now} />
        </SiteProvider>
        <Charts
          station={facts}
          inventory={inventory}
          pageLocation={chartLocation}
          line={first.lines['air_temperature']}
          latest={now.latest}
        />
        <Sections
          station={facts}
          inventory={inventory}
          pageLocation={pageLocation}
          staticClimate={staticClimate}
        />
      </article>
    );
  },
};

/** The sections below the charts. Each section is loaded when the visitor scrolls near it. */
function Sections({
  staticClimate: StaticClimate,
  ...props
}: SectionProps & { readonly staticClimate: StationData['staticClimate'] }) {
  const { text } = useSite();
  const hasWind = props.inventory.variables.includes('wind_from_direction');
  return (
    <>
      <Section
        id="usual"
        title={text.usual.title}
        route="/v1/stations/{id}/climate/usual"
        load={() => import('../sections/usual/usual.js')}
        part="Usual"
        {...props}
      />
      <div class={hasWind ? 'side-by-side' : undefined}>
        {hasWind && (
          <Section
            id="rose"
            title={text.station.rose.title}
            route="/v1/stations/{id}/wind-rose"
            load={() => import('../sections/rose/rose.js')}
            part="WindRoseSection"
            {...props}
          />
        )}
        <AlmanacCard {...props} />
      </div>
      <Section
        id="climate"
        title={text.climate.title}
        route="/v1/stations/{id}/climate/months"
        load={loadClimate}
        part="Climate"
        staticContent={StaticClimate && <StaticClimate {...props} />}
        {...props}
      />
    </>
  );
}
