import { DomainError } from '#domain/domain-error.js';
import { type Audience, stationFor } from '#domain/weather/stations/audience.js';
import type { StationFilter, StationSearch } from '../../ports/station-search.js';
import { unknownStation } from '../../stations/find-station.js';
import { assertFilter } from '../../stations/find-stations.js';
import type { StationDirectory } from '../../stations/station-directory.js';
import type { LiveEncoder } from './live-event.js';
import type { LiveReader, LiveSink } from './live-reader.js';
import type { ObservationFeed } from './observation-feed.js';
import type { StreamSlots } from './stream-slots.js';
import type { Wanted, WantedStations } from './wanted-stations.js';

/** Maximum number of station ids in a request for an event stream. */
export const MAX_NAMED = 1000;

/**
 * Maximum number of stations of a stream that includes sums of months and years. Such a sum reads the days of a year at the first
 * change of a day.
 */
export const MAX_WITH_RAIN = 20;

const NOTHING: Wanted = { recent: false, rain: false, alarms: false };

export interface FollowRequest {
  /** Ids of the stations; undefined for all stations or for the stations in `place`. */
  readonly stations: readonly string[] | undefined;
  /** What events include in addition to the newest values. */
  readonly included?: Wanted;
  readonly place: Pick<StationFilter, 'near' | 'radius' | 'bbox'>;
  /** Who receives the events: everybody (the default), or only signed-in users, who may see more stations. */
  readonly audience?: Audience;
  readonly encoder: LiveEncoder;
  /** Network of the client. The number of streams of a network is limited. */
  readonly network: string;
  /**
   * Whether the client needs a token, which can expire. If so, the stream ends after 15 minutes, and the client resumes it with a
   * valid token.
   */
  readonly needsToken: boolean;
}

/**
 * Number of calls of `LiveReader.visit` after which a stream that needs a token ends. The calls are 15 s apart, so the stream
 * ends after 15 minutes.
 */
const VISITS_WITH_TOKEN = 60;

/** A stream that is ready to open. */
export interface LiveStream {
  /**
   * Opens the stream. The caller calls `pull` when the connection accepts more data, and `close` when the client has gone.
   *
   * @param position id of the last event that the client received in an earlier stream, where the stream resumes; undefined for a
   *   new client
   * @throws DomainError RATE_LIMITED if the network has too many streams; SERVICE_UNAVAILABLE if all networks together have too
   *   many streams
   */
  open(sink: LiveSink, position: string | undefined): Pick<LiveReader, 'pull'> & { close(): void };
}

/** Sends changes of observations to clients when the changes have been committed. */
export class FollowObservations {
  readonly #feed: ObservationFeed;
  readonly #slots: StreamSlots;
  readonly #directory: StationDirectory;
  readonly #search: StationSearch;

  constructor(feed: ObservationFeed, slots: StreamSlots, directory: StationDirectory, search: StationSearch) {
    this.#feed = feed;
    this.#slots = slots;
    this.#directory = directory;
    this.#search = search;
  }

  /**
   * @throws DomainError REQUEST_INVALID for an invalid choice of stations; STATION_UNKNOWN if a named station does not exist or
   *   the audience does not see it
   */
  async execute(request: FollowRequest): Promise<LiveStream> {
    const { encoder, network, needsToken, audience = 'everybody', included = NOTHING } = request;
    const selected = this.#wanted(request);
    if (included.rain && (selected.ids?.length ?? Infinity) > MAX_WITH_RAIN)
      throw new DomainError(
        'REQUEST_INVALID',
        `include=rain needs stations with at most ${MAX_WITH_RAIN} ids.`,
      );
    const wanted = wantedBy(audience, selected, included);
    const directory = await this.#directory.current();
    const unknown = wanted.ids?.find((id) => {
      const station = directory.byId.get(id);
      return station === undefined || !wanted.matches(station);
    });
    if (unknown !== undefined) throw unknownStation(unknown);
    const subscriber = { wanted, encoder, directory, visits: needsToken ? VISITS_WITH_TOKEN : undefined };
    return {
      open: (sink, position) => {
        const releaseSlot = this.#slots.acquire(network);
        try {
          const { reader, leave } = this.#feed.join(subscriber, sink, position);
          const close = () => {
            releaseSlot();
            leave();
          };
          return { pull: () => reader.pull(), close };
        } catch (error) {
          releaseSlot();
          throw error;
        }
      },
    };
  }

  #wanted({ stations, place }: FollowRequest): Selected {
    const { near, radius, bbox } = place;
    if (stations !== undefined) {
      if (near !== undefined || radius !== undefined || bbox !== undefined)
        throw new DomainError('REQUEST_INVALID', 'Use only one of stations, near with radius, or bbox.');
      if (stations.length > MAX_NAMED)
        throw new DomainError(
          'REQUEST_INVALID',
          `stations has ${stations.length} ids, but the maximum is ${MAX_NAMED}: use bbox instead.`,
        );
      const ids = new Set(stations);
      const key = `stations ${[...ids].sort().join()}`;
      return { key, ids: [...ids], matches: ({ id }) => ids.has(id) };
    }
    assertFilter(place);
    if (near !== undefined && radius === undefined)
      throw new DomainError('REQUEST_INVALID', 'near requires radius, in kilometers.');
    const numbers = [
      near?.latitude,
      near?.longitude,
      radius,
      bbox?.west,
      bbox?.south,
      bbox?.east,
      bbox?.north,
    ];
    const isPlace = near !== undefined || bbox !== undefined;
    const key = isPlace ? `place ${numbers.join()}` : 'all';
    return { key, ids: undefined, matches: isPlace ? this.#search.matcher(place) : () => true };
  }
}

/** The requested stations, including stations that the client may not see. */
type Selected = Omit<WantedStations, 'included'>;

/**
 * Limits the requested stations to those that the audience may see. Whether a station is in the requested area is decided by the
 * position that the audience sees, which may be rounded.
 */
function wantedBy(audience: Audience, { key, ids, matches }: Selected, included: Wanted): WantedStations {
  const { recent, rain, alarms } = included;
  return {
    key: `${audience} ${recent ? 'recent ' : ''}${rain ? 'rain ' : ''}${alarms ? 'alarms ' : ''}${key}`,
    included,
    ids,
    matches: (station) => {
      const seen = stationFor(audience, station);
      return seen !== undefined && matches(seen);
    },
  };
}
