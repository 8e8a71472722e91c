import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Stores } from '../../src/application/ports/stores.js';
import { type Config, loadConfig } from '../../src/composition/config.js';
import { openStores, STORES } from '../../src/composition/modules/stores.js';
import { type Service, startService } from '../../src/composition/service.js';
import { postgresServer } from './postgres.js';

/** The store matrix of the composition. */
export const storeNames = Object.keys(STORES);

/** A place for data, empty at first: a folder, and a database if the store needs one. */
export class Place {
  readonly folder: string;
  readonly databaseUrl: string;

  private constructor(folder: string, databaseUrl: string) {
    this.folder = folder;
    this.databaseUrl = databaseUrl;
  }

  /** @param store a scheme of `WEATHERD_DATABASE_URL` */
  static async make(store: string): Promise<Place> {
    const folder = await mkdtemp(join(tmpdir(), 'weatherd-place-'));
    const url = store === 'postgres' ? await (await postgresServer()).newDatabase() : `${store}:`;
    return new Place(folder, url);
  }

  /** The same data after their folder was copied. */
  movedTo(folder: string): Place {
    return new Place(folder, this.databaseUrl);
  }

  config(settings: Readonly<Record<string, string>> = {}): Config {
    return loadConfig(undefined, {
      WEATHERD_EXTERNAL_PORT: '0',
      WEATHERD_INTERNAL_PORT: '0',
      WEATHERD_DATA_DIR: this.folder,
      WEATHERD_DATABASE_URL: this.databaseUrl,
      ...settings,
    });
  }

  open(): Promise<Stores> {
    return openStores(this.config());
  }

  /** Starts the whole service with these data, within this process. */
  serve(settings: Readonly<Record<string, string>> = {}): Promise<Service> {
    return startService(this.config(settings), silentLog);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}

export const silentLog = {
  logger: pino({ level: 'silent' }),
  requestWriter: () => () => undefined,
  setLevel: () => undefined,
  close: () => Promise.resolve(),
};
