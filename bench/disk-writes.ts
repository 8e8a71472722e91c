import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { SqliteObservationStore } from '#adapters/store-sqlite/observations/sqlite-observation-store.js';
import { PutStations } from '#application/stations/put-stations.js';
import { AddUploadKey } from '#application/uploads/keys/add-upload-key.js';
import { loadConfig } from '#composition/config.js';
import { type Service, startService } from '#composition/service.js';
import { ObservationStore } from '#composition/graph/tokens.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { MILLISECONDS } from '#domain/time.js';
import { makeStations } from './weather-data.js';

/**
 * Measures the bytes per day that the service writes to the disk (SQLite), for stations that upload at different times. The bytes
 * are those of `write_bytes` of /proc/self/io.
 *
 *   day = uploads × (bytes of an upload + bytes of merging it)
 *         + checkpoints, one for each 40 MB of the write-ahead log
 *
 * - An upload writes its commit, and the status of its upload key (such as the time of the last upload).
 * - Merging writes the rows of several uploads again, packed together.
 * - A checkpoint copies the write-ahead log into the data file.
 *
 * With many stations, the uploads come at their real interval, and several uploads can share a commit. With few stations, each
 * upload has its own commit. To save time, these stations send every `LONE` seconds instead of at their real interval. In both
 * cases the measured bytes of one upload are multiplied by the number of real uploads of a day.
 *
 * The file system and the memory card write more. `BENCH_DIR` names a folder on a disk (a tmpfs counts nothing), and
 * `BENCH_SECONDS` is the duration of each case.
 */
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 60);
const PARENT = process.env['BENCH_DIR'] ?? '.';
/**
 * Seconds between two uploads. The time is so long that no two uploads share a write: each upload has its own commit, and the
 * status of its upload key (such as the time of the last upload) is written separately too. The service writes the statuses every
 * 5 s.
 */
const LONE = 6;
/** Bytes of the write-ahead log at which SQLite copies it into the data file. */
const LOG_SIZE = 40e6;
const DAY = MILLISECONDS.day / MILLISECONDS.second;

const written = () => Number(/^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

interface Opened {
  readonly service: Service;
  readonly keys: readonly string[];
  readonly file: string;
}

async function open(folder: string, stations: number, interval: number): Promise<Opened> {
  const dataDir = join(folder, 'data');
  const config = loadConfig(undefined, {
    WEATHERD_EXTERNAL_PORT: '0',
    WEATHERD_INTERNAL_PORT: '0',
    WEATHERD_UPLOADS_ENABLED: 'true',
    WEATHERD_UPLOADS_PORT: '0',
    WEATHERD_DATA_DIR: dataDir,
  });
  const none = () => undefined;
  const close = () => Promise.resolve();
  const log = { logger: pino({ level: 'silent' }), requestWriter: () => none, setLevel: none, close };
  const service = await startService(config, log);
  const { useCase } = service.application;
  const drafts = makeStations(stations).map((station) => ({ ...station, reportingInterval: interval }));
  await useCase(PutStations).execute(drafts, COMMAND_LINE);
  const keys: string[] = [];
  for (const { id } of drafts)
    keys.push((await useCase(AddUploadKey).execute({ station: id }, COMMAND_LINE)).secret);
  return { service, keys, file: join(dataDir, 'weatherd.db') };
}

async function upload(url: string, key: string, round: number): Promise<void> {
  const time = new Date().toISOString().slice(0, 19).replace('T', ' ');
  const rain = (round * 0.012).toFixed(3);
  const form =
    `PASSKEY=A0B1C2D3E4F5061728394A5B6C7D8E9F&stationtype=GW2000A_V3.1.5&dateutc=${time}&tempinf=71.78&humidityin=59&` +
    `baromrelin=30.035&baromabsin=29.394&tempf=${50 + (round % 8)}.44&humidity=${70 + (round % 9)}&winddir=181&` +
    `windspeedmph=1.79&windgustmph=4.25&solarradiation=${100 + (round % 50)}.00&uv=1&rrain_piezo=0.000&drain_piezo=${rain}&` +
    `yrain_piezo=23.264&model=GW2000A&interval=60`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await fetch(`${url}/u/${key}/data/report/`, { method: 'POST', headers, body: form });
  await reply.arrayBuffer();
  if (reply.status !== 200) throw new Error(`status ${reply.status}`);
}

async function measure(stations: number, interval: number): Promise<void> {
  const folder = mkdtempSync(join(PARENT, 'weatherd-writes-'));
  const { service, keys, file } = await open(folder, stations, interval);
  const url = service.uploadsUrl ?? '';
  // The first upload of each key is not measured, because it causes work that happens only once after the start.
  for (const key of keys) await upload(url, key, 0);
  await sleep(8);
  const distance = Math.min(interval / stations, LONE);
  const log = () => statSync(`${file}-wal`).size;
  const [begin, logBegin, beginAt] = [written(), log(), performance.now()];
  const count = Math.ceil(SECONDS / distance);
  for (let round = 1; round <= count; round += 1) {
    await upload(url, keys[round % keys.length] ?? '', round);
    await sleep(Math.max(0, (beginAt - performance.now()) / 1000 + round * distance));
  }
  await sleep(LONE);
  const perUpload = (written() - begin) / count;
  const logPerUpload = (log() - logBegin) / count;
  const uploaded = written();
  await (service.application.container.get(ObservationStore) as SqliteObservationStore).merge();
  const merged = written();
  const perMerge = (merged - uploaded) / count;
  await service.application.close();
  // Closing the service copies the write-ahead log like a checkpoint.
  const checkpoint = written() - merged;
  await service.stop().catch(() => undefined);
  rmSync(folder, { recursive: true });
  const uploads = (DAY / interval) * stations;
  const checkpoints = (uploads * Math.max(logPerUpload + perMerge, 0)) / LOG_SIZE;
  // The measured checkpoint stands for all checkpoints of a day. A checkpoint writes each changed page of the data file once.
  // After more rows more pages have changed, so a real checkpoint can write more, but at most as many pages as the log contains.
  const day = uploads * (perUpload + perMerge) + checkpoints * Math.max(checkpoint, 0);
  const cells = [
    stations,
    interval,
    uploads,
    Math.round(perUpload),
    Math.round(perMerge),
    checkpoints,
    day / 1e6,
  ];
  console.log(`| ${cells.map((cell) => (Number.isInteger(cell) ? cell : cell.toFixed(1))).join(' | ')} |`);
}

console.log(
  '| stations | interval s | uploads a day | bytes an upload | bytes of merging it | checkpoints a day | MB a day |',
);
console.log('| ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
for (const stations of [1, 10, 100]) for (const interval of [600, 60]) await measure(stations, interval);
