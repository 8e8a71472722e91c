import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Stores } from '#application/ports/stores.js';
import { type Config, loadConfig } from '#composition/config.js';
import { openStores, STORE_MODULES } from '#composition/modules/stores.js';
import { type Service, startService } from '#composition/service.js';
import type { TestServer } from './given-postgres.js';
import { postgresServer } from './postgres.js';
import { removeAtExit } from './temporary-folder.js';

/** Names of the tested stores: all stores of the service (`STORE_MODULES`), or only the store in `TEST_STORE`. */
export const storeNames = Object.keys(STORE_MODULES).filter(
  (name) => name === (process.env['TEST_STORE'] ?? name),
);

/** Storage with the current schema and without data, by the name of the store. `Place.ready` copies it. */
const templates = new Map<string, Promise<Place>>();

async function makeTemplate(store: string): Promise<Place> {
  const place = await Place.make(store);
  removeAtExit(place.folder);
  await (await place.open()).close();
  return place;
}

/** Storage for the data of a service, empty at first: a folder, and for PostgreSQL also a database. */
export class Place {
  readonly folder: string;
  readonly databaseUrl: string;

  readonly #server: TestServer | undefined;

  private constructor(folder: string, databaseUrl: string, server?: TestServer) {
    this.folder = folder;
    this.databaseUrl = databaseUrl;
    this.#server = server;
  }

  /** Creates empty storage. @param store scheme of the URL in `WEATHERD_DATABASE_URL` */
  static async make(store: string): Promise<Place> {
    const folder = await mkdtemp(join(tmpdir(), 'weatherd-place-'));
    if (store !== 'postgres') return new Place(folder, `${store}:`);
    return new Place(folder, await (await postgresServer()).newDatabase(), await postgresServer());
  }

  /** Creates storage without data that may have the current schema already. Copying a schema is faster than creating one. */
  static async ready(store: string): Promise<Place> {
    const server = store === 'postgres' ? await postgresServer() : undefined;
    if (server?.isDistributed === true) return await Place.make(store);
    const template = templates.get(store) ?? makeTemplate(store);
    templates.set(store, template);
    const { folder: copied, databaseUrl } = await template;
    const folder = await mkdtemp(join(tmpdir(), 'weatherd-place-'));
    if (server !== undefined) return new Place(folder, await server.newDatabase(databaseUrl), server);
    await cp(copied, folder, { recursive: true });
    return new Place(folder, databaseUrl);
  }

  /** Returns this storage with another folder. The caller must have copied the files to this folder. */
  movedTo(folder: string): Place {
    return new Place(folder, this.databaseUrl, this.#server);
  }

  config(settings: Readonly<Record<string, string>> = {}): Config {
    return loadConfig(undefined, {
      WEATHERD_EXTERNAL_PORT: '0',
      WEATHERD_INTERNAL_PORT: '0',
      WEATHERD_DATA_DIR: this.folder,
      WEATHERD_DATABASE_URL: this.databaseUrl,
      ...(this.#server?.isDistributed && { WEATHERD_DATABASE_DISTRIBUTED: 'true' }),
      ...settings,
    });
  }

  open(settings: Readonly<Record<string, string>> = {}): Promise<Stores> {
    return openStores(this.config(settings));
  }

  /** Starts the whole service with these data in this process. */
  serve(settings: Readonly<Record<string, string>> = {}): Promise<Service> {
    return startService(this.config(settings), silentLog);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
    await this.#server?.release(this.databaseUrl);
  }
}

export const silentLog = {
  logger: pino({ level: 'silent' }),
  requestWriter: () => () => undefined,
  setLevel: () => undefined,
  close: () => Promise.resolve(),
};
