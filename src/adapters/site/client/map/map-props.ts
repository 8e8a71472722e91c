import type { HourlyValues } from '../stations/hourly-values.js';
import type { ListedStation, StationList } from '../stations/listed.js';
import type { Place } from './fit.js';

/** What the page tells the map, and what the map tells the page. */
export interface MapProps {
  readonly stations: readonly ListedStation[];
  readonly units: StationList['units'];
  /** The text of the filter. When it changes, the map moves to the found stations. */
  readonly search: string;
  /** Whether no station has values of the last year, so that there are no earlier hours of the present weather. */
  readonly isPast: boolean;
  readonly selected: string | undefined;
  /** The station whose popover is open. */
  readonly opened: string | undefined;
  /** The last 24 hours of the stations in the list. */
  readonly temperatures: ReadonlyMap<string, HourlyValues>;
  readonly onSelect: (id: string) => void;
  readonly onOpen: (id: string | undefined) => void;
  readonly onPlaces: (places: readonly Place[]) => void;
}
