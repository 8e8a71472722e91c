import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { CopyOptions } from '#adapters/cli/copy-command.js';
import { realPath } from '#adapters/cli/output-file.js';
import type { CopiedData, CopyObserver } from '#application/operation/copy/copy-data.js';
import type { Stores } from '#application/ports/stores.js';
import type { Config } from '../config.js';
import { openStores } from '../modules/stores.js';
import { reasonAt } from '../reason.js';
import { readBounded } from '../settings/config-file.js';
import { thenClose } from '../runnables.js';
import { SETTING_TABLE } from '../settings/settings.js';
import { assertOwnData, type TypedCommand } from './data-owner.js';
import { dataFile, keysFolder, missingData } from './data-location.js';
import { makeFolder } from './folders.js';
import { schemaFault } from '#adapters/formats/text/schema-fault.js';

/**
 * Copies all data of the configuration to another store.
 *
 * @throws Error with the reason; no message contains the password of a database
 */
export async function copyData(
  config: Config,
  options: CopyOptions,
  command: TypedCommand,
  observer: CopyObserver,
): Promise<string> {
  const target = targetOf(config, options);
  assertOwnData(target, command, 'nearest');
  const missing = await missingData(config);
  if (missing !== undefined) throw new Error(missing);
  const { CopyData } = await import('#application/operation/copy/copy-data.js');
  // `DATABASE_DISTRIBUTED` applies only to the target. The store itself detects whether the source is distributed.
  const source = await openStores({ ...config, DATABASE_DISTRIBUTED: false });
  const toTarget = async () => {
    const opened = await openTarget(target);
    const work = async () => report(await new CopyData(source, opened).execute(observer), source, opened);
    return await thenClose(work, () => opened.close());
  };
  return await thenClose(toTarget, () => source.close());
}

/** The configuration of the target. @throws Error if the target cannot be used */
function targetOf(config: Config, { to, toFile, dataDir }: CopyOptions): Config {
  const text = toFile === undefined ? to : urlIn(toFile);
  const url = SETTING_TABLE.DATABASE_URL.schema.safeParse(text, { error: schemaFault });
  if (!url.success) throw new Error(`--to: ${url.error.issues.map(({ message }) => message).join('; ')}`);
  const target: Config = {
    ...config,
    DATABASE_URL: url.data,
    DATABASE_READ_URL: undefined,
    DATA_DIR: resolve(dataDir ?? config.DATA_DIR),
  };
  const [from, file] = [dataFile(config), dataFile(target)];
  if (file === undefined) return target;
  if (from !== undefined && realPath(from) === realPath(file))
    throw new Error('--to: the target is the file that is copied. Name another target.');
  if (from !== undefined && realPath(keysFolder(config)) === realPath(keysFolder(target))) {
    throw new Error(
      'Two SQLite files cannot share their signing keys: name the data directory of the new file with --data-dir.',
    );
  }
  return target;
}

/** Reads a URL from a file. @throws Error that names the option and the file if the file cannot be read */
function urlIn(file: string): string {
  try {
    return readBounded(file).replace(/\r?\n$/, '');
  } catch (error) {
    throw new Error(`--to-file: ${reasonAt(file, error)}`, { cause: error });
  }
}

async function openTarget(target: Config): Promise<Stores> {
  const file = dataFile(target);
  if (file !== undefined && !existsSync(dirname(file))) makeFolder(dirname(file));
  return await openStores(target);
}

function report({ stations, rows, records, keys }: CopiedData, source: Stores, target: Stores): string {
  const missing = source.keys.damaged.map((reason) => `\nA key was not copied: ${reason}.`).join('');
  return (
    `Copied ${source.location} to ${target.location}: ${stations} stations with ${rows} rows, ${records} records in ` +
    `total, and ${keys} signing ${keys === 1 ? 'key' : 'keys'}. Every station and every record was compared.${missing}`
  );
}
