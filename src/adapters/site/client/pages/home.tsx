import { Redirect } from '../api.js';
import type { PageDefinition } from '../page.js';
import { useSite } from '../site-context.js';
import { Empty } from '../stations/empty.js';
import { type ListStart, readStations, type StationList } from '../stations/listed.js';
import { StationsPage } from '../stations/stations.js';

/** The map and the list of stations. If there is only one station, the page of this station is shown. */
export const home: PageDefinition<StationList> = {
  load: async (api, { query }) => {
    const begin = beginningOf(query);
    const list = await readStations(api, begin);
    const [only, ...others] = list.stations;
    const isWhole = isFromStart(begin) && list.next === null;
    if (isWhole && only !== undefined && others.length === 0)
      throw new Redirect(`/stations/${encodeURIComponent(only.station.id)}`);
    return list;
  },
  title: (_data, { text }) => `${text.home.title} · ${text.site.name}`,
  View: ({ data, pageLocation: { query } }) => {
    const { text } = useSite();
    const begin = beginningOf(query);
    const isEmpty = data.stations.length === 0 && isFromStart(begin);
    const chosen = query.get('station') ?? undefined;
    if (!isEmpty) return <StationsPage key={query.toString()} first={data} begin={begin} chosen={chosen} />;
    return (
      <>
        <h1>{text.home.title}</h1>
        <Empty />
      </>
    );
  },
};

function beginningOf(query: URLSearchParams): ListStart {
  return { cursor: query.get('cursor') ?? undefined, text: query.get('q') || undefined };
}

function isFromStart({ cursor, text }: ListStart): boolean {
  return cursor === undefined && text === undefined;
}
