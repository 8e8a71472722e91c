import { RecordObservations } from '#application/observations/ingest/record-observations.js';
import { StreamSlots } from '#application/observations/live/stream-slots.js';
import { PutStations } from '#application/stations/put-stations.js';
import { RemoveStation } from '#application/stations/remove-station.js';
import { loadConfig } from '#composition/config.js';
import { type Service, startService } from '#composition/service.js';
import type { SentRows } from '#domain/weather/sent-rows.js';
import type { StationDraft } from '#domain/weather/station.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import {
  Contexts,
  launchBrowser,
  type RecordedPage,
  noBrowserReason,
  type PageOptions,
  Pages,
  type WatchedPage,
} from './browser.js';
import { silentLog } from './place.js';
import { Workplace } from './process.js';

const STATION = {
  latitude: 59.91,
  longitude: 10.75,
  elevation: null,
  timeZone: 'Europe/Oslo',
  reportingInterval: 60,
  identifiers: {},
  limits: {},
};

/**
 * Contexts of the browser that all suites of the process share, because starting a browser takes a second. The browser ends with the
 * process.
 */
let sharedContexts: Promise<Contexts> | undefined;

const startBrowser = async (): Promise<Contexts> => new Contexts(await launchBrowser());

/** Environment variables with the settings of a service. */
type Settings = Readonly<Record<string, string>>;

const startWith = (settings: Settings): Promise<Service> =>
  startService(loadConfig(undefined, settings), silentLog);

/** The whole service with its pages on a free port, and a browser that can open them. */
export class Site {
  readonly url: string;
  service: Service;
  readonly #settings: Settings;
  readonly #pages: Pages;
  readonly #workplace: Workplace;
  readonly #looked = new Map<string, Promise<RecordedPage>>();

  private constructor(service: Service, settings: Settings, contexts: Contexts, workplace: Workplace) {
    this.url = service.externalUrl;
    this.service = service;
    this.#settings = settings;
    this.#pages = new Pages(contexts);
    this.#workplace = workplace;
  }

  /**
   * Starts a service.
   *
   * @param data `demo` is the data of `weatherd demo`
   * @param settings settings of the service
   */
  static async start(data: 'demo' | 'empty', settings: Settings = {}): Promise<Site> {
    const workplace = await Workplace.make();
    if (data === 'demo') await workplace.makeDemo();
    const all = {
      WEATHERD_EXTERNAL_PORT: '0',
      WEATHERD_INTERNAL_PORT: '0',
      WEATHERD_DATA_DIR: workplace.dataDir,
      ...settings,
    };
    return new Site(await startWith(all), all, await (sharedContexts ??= startBrowser()), workplace);
  }

  /** Restarts the service at the same address with the same data. */
  async restart(): Promise<void> {
    await this.service.stop();
    this.service = await startWith({ ...this.#settings, WEATHERD_EXTERNAL_PORT: new URL(this.url).port });
  }

  /**
   * Opens a path with the storage of a new browser, optionally at another origin. Waits until the page is idle. A page with
   * an event stream is never idle, so for such a page the function only waits until the page is loaded.
   */
  async open(
    path: string,
    { origin = this.url, ...options }: PageOptions & { readonly origin?: string } = {},
  ): Promise<WatchedPage> {
    const watched = await this.#pages.open(origin, options);
    await watched.page.goto(new URL(path, origin).href, {
      waitUntil: options.events === true ? 'load' : 'networkidle',
    });
    return watched;
  }

  /**
   * Opens a path once for all tests that only look at its page. Each test sets the size of the window and the color scheme that it
   * needs. The page stays open until the site stops.
   */
  look(path: string): Promise<RecordedPage> {
    const found = this.#looked.get(path) ?? this.#openShared(path);
    this.#looked.set(path, found);
    return found;
  }

  async #openShared(path: string): Promise<RecordedPage> {
    const looked = await this.#pages.share(this.url);
    await looked.page.goto(this.url + path, { waitUntil: 'networkidle' });
    return looked;
  }

  /** Adds a station that reports each minute. @param changes properties that differ from the default */
  async addStation(id: string, changes: Partial<StationDraft> = {}): Promise<void> {
    const draft = { ...STATION, id, name: id, ...changes };
    await this.service.application.useCase(PutStations).execute([draft], COMMAND_LINE);
  }

  async removeStation(id: string): Promise<void> {
    await this.service.application.useCase(RemoveStation).execute(id, COMMAND_LINE);
  }

  /** Writes values. @param time in ms since 1970 @returns the time */
  async write(
    station: string,
    values: Readonly<Record<string, number>>,
    time: number = Date.now(),
  ): Promise<number> {
    const columns = Object.entries(values).map(([variable, value]) => ({
      variable,
      values: Float64Array.of(value),
    }));
    await this.record({ stations: station, times: Float64Array.of(time), columns });
    return time;
  }

  async record(rows: SentRows): Promise<void> {
    await this.service.application.useCase(RecordObservations).execute(rows, COMMAND_LINE);
  }

  /** Number of open event streams. */
  get streams(): number {
    return this.service.application.useCase(StreamSlots).count;
  }

  async stop(): Promise<void> {
    await this.#pages.close();
    await this.service.stop();
    await this.#workplace.remove();
  }
}

/** `describe` for suites with a browser. If the browser cannot run, the suite is skipped and its title contains the reason. */
export const describeInBrowser = (title: string, suite: () => void): void => {
  if (noBrowserReason === undefined) describe(title, suite);
  else describe.skip(`${title} (${noBrowserReason})`, suite);
};
