import { extentOf } from '../extent.js';
import type { ComponentChildren, ComponentType } from 'preact';
import { useMemo } from 'preact/hooks';
import { type ApiClient, ignoreApiError, type Inventory, type Station } from '../api.js';
import { Cards } from '../now/cards.js';
import { StationHead } from '../now/head.js';
import { type Now, readNow } from '../now/read-now.js';
import { useInventory } from '../now/use-inventory.js';
import { useQualityState } from '../live/use-quality-state.js';
import { useLiveStation } from '../live/use-live-station.js';
import { useNow } from '../live/clock.js';
import { useSignal } from '../live/use-signal.js';
import { session } from '../session.js';
import type { PageDefinition } from '../page.js';
import { isPast, shownTime, withLastWeek } from '../past/past-model.js';
import { PastStrip } from '../past/past-strip.js';
import { LazyCharts } from './lazy-charts.js';
import { DayRow } from '../forecast/days.js';
import { Alarms } from '../parts/alarms.js';
import { AlmanacCard } from '../sections/almanac/almanac.js';
import { Hero, titleOfStation } from '../ribbon/hero.js';
import { forecastOf } from '../ribbon/ribbon-data.js';
import { RibbonFigure } from '../ribbon/ribbon-figure.js';
import { Section, type SectionProps } from '../sections/section.js';
import { previewOfStation } from '../share/preview.js';
import { useTitle } from '../share/use-title.js';
import { SiteProvider, useSite } from '../site-context.js';
import { nearPlaces } from '../stations/near-places.js';

export interface StationData {
  readonly station: Station;
  readonly inventory: Inventory;
  readonly now: Now;
  /** The nearest town. */
  readonly town?: string;
  /** The climate section for visitors without JavaScript. The JSON for the browser does not contain this section. */
  readonly staticClimate?: ComponentType<SectionProps>;
}

/** Parts of the newest values that the page shows. */
const INCLUDED = 'trend,today,rain,forecast,quality_control';

const loadClimate = () => import('../sections/climate/climate.js');

/** The page of a station: newest values, charts, downloads and climate. */
export const station: PageDefinition<StationData> = {
  load: async (api, pageLocation) => {
    const id = pageLocation.params['id'] ?? '';
    const reading = api.get('/v1/stations/{id}', { path: { id } });
    const [about, town, now, staticClimate] = await Promise.all([
      reading,
      reading.then((reply) => readTown(api, reply.station)),
      readNow(api, id, INCLUDED),
      api.response !== undefined
        ? undefined
        : loadClimate().then(({ readStaticClimate }) => readStaticClimate(api, id, pageLocation)),
    ]);
    return {
      station: about.station,
      inventory: about.inventory as Inventory,
      now,
      ...(town !== undefined && { town }),
      ...(staticClimate && { staticClimate }),
    };
  },
  title: ({ station: facts, now }, site) => titleOfStation(facts, now, site),
  preview: ({ station: facts, now }, site) => previewOfStation(facts, now, site),
  View: ({ data: { station: facts, inventory: known, now: first, town, staticClimate }, pageLocation }) => {
    const site = useSite();
    const present = useNow();
    const now = useLiveStation(facts.id, first, (api) => readNow(api, facts.id, INCLUDED));
    const { notices, gaps, checked } = useQualityState(facts.id, now.quality_control);
    const inventory = useInventory(facts.id, known, now);
    const checking = checked < 1 && (
      <p class="quiet">{site.text.station.checking(Math.round(100 * checked))}</p>
    );
    const isOld = isPast(now.last_seen, present);
    const chartLocation = useMemo(
      () => (isOld ? withLastWeek(pageLocation) : pageLocation),
      [pageLocation, isOld],
    );
    useTitle(titleOfStation(facts, now, { ...site, now: present }));
    return (
      <article class="station">
        <PastStrip station={facts} lastSeen={now.last_seen} />
        <SiteProvider value={{ ...site, ...shownTime(now.last_seen, present) }}>
          <StationHead
            station={facts}
            town={town}
            inventory={inventory}
            lastSeen={now.last_seen}
            isOld={isOld}
          />
          <Alarms alarms={now.alarms} timeZone={facts.time_zone} />
          {checking}
          <Hero station={facts} now={now} />
          {inventory.last === null && <ConnectLink id={facts.id} />}
          <RibbonFigure station={facts} now={now} isOld={isOld} />
          {!isOld && <DayRow forecast={now.forecast} zone={facts.time_zone} />}
          <Cards station={facts} now={now} />
        </SiteProvider>
        {inventory.last !== null && (
          <LazyCharts
            station={facts}
            inventory={inventory}
            pageLocation={chartLocation}
            latest={now.latest}
            hours={now.hours}
            forecast={forecastOf(now, present)}
          />
        )}
        <Sections
          // The sections read their numbers again when the check has ended.
          key={checked < 1}
          hasNotices={notices + gaps > 0}
          checking={checking}
          station={facts}
          inventory={inventory}
          pageLocation={pageLocation}
          staticClimate={staticClimate}
        />
      </article>
    );
  },
};

/** How an administrator gets the first value of a station. */
function ConnectLink({ id }: { readonly id: string }) {
  const { text } = useSite();
  if (useSignal(session)?.administrator !== true) return null;
  return (
    <p>
      <a class="button main" href={`/admin#connect/${encodeURIComponent(id)}`}>
        {text.station.connect}
      </a>
    </p>
  );
}

/** Half the size in degrees of the box in which the nearest town is searched. */
const TOWN_DISTANCE = 0.1;

/** The name of the nearest town; undefined if there is none within about ten kilometers. */
async function readTown(api: ApiClient, about: Station): Promise<string | undefined> {
  const { latitude, longitude } = about;
  const stretch = Math.max(0.1, Math.cos((latitude * Math.PI) / 180));
  const bounded = (value: number, limit: number) => Math.min(Math.max(value, -limit), limit).toFixed(3);
  const bbox = [
    bounded(longitude - TOWN_DISTANCE / stretch, 180),
    bounded(latitude - TOWN_DISTANCE, 90),
    bounded(longitude + TOWN_DISTANCE / stretch, 180),
    bounded(latitude + TOWN_DISTANCE, 90),
  ].join(',');
  const reply = await api.get('/v1/places', { query: { bbox } }).catch(ignoreApiError);
  return nearPlaces([{ station: about }], reply?.places ?? []).get(about.id);
}

/** The sections below the charts. Each section is loaded when the visitor scrolls near it. */
function Sections({
  staticClimate: StaticClimate,
  hasNotices,
  checking,
  ...props
}: SectionProps & {
  readonly staticClimate: StationData['staticClimate'];
  readonly hasNotices: boolean;
  /** A line in the sections whose numbers may change soon. */
  readonly checking: ComponentChildren;
}) {
  const { text } = useSite();
  const hasWind = props.inventory.variables.includes('wind_from_direction');
  const { first, last } = extentOf(props.inventory);
  // There is nothing to compare before the first value.
  if (last === null) return <AlmanacCard {...props} />;
  return (
    <>
      {hasNotices && (
        <Section
          id="notices"
          title={text.station.notices}
          route="/v1/stations/{id}/notices"
          load={() => import('../sections/notices/notices.js')}
          part="Notices"
          {...props}
        />
      )}
      <Section
        id="usual"
        title={text.station.usual.title}
        route="/v1/stations/{id}/climate/usual"
        load={() => import('../sections/usual/usual.js')}
        part="Usual"
        note={checking}
        years={new Date(last).getUTCFullYear() - new Date(first ?? last).getUTCFullYear() + 1}
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
        note={checking}
        staticContent={StaticClimate && <StaticClimate {...props} />}
        {...props}
      />
    </>
  );
}
