import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { locationOf } from '#adapters/store-postgres/database/location.js';
import type { Config } from '../config.js';
import { foreignOwner } from '../data/data-owner.js';
import { dataFile, keysFolder, MAKE_DATA, missingData } from '../data/data-place.js';
import { dataWarnings, keyWarnings } from '../data/data-warnings.js';
import { reasonOf, sentenceOf } from '../reason.js';
import { countText, fail, type Finding, ok, warn } from './findings.js';

/** Free bytes below which the disk should be looked at before it is full. */
const LITTLE_SPACE = 1_073_741_824;
/** Free inodes below which the disk should be looked at. The service itself needs a few only. */
const FEW_INODES = 1000;

/** Whether the data can be read and written by this user. `isThere` is false if a check of the database makes no sense. */
export async function checkData(
  config: Config,
): Promise<{ readonly findings: readonly Finding[]; readonly isThere: boolean }> {
  const file = dataFile(config);
  if (file === undefined) return { findings: [], isThere: true };
  // Throws what to do if there is no working driver. Without data the advice would be to make some, which fails without one.
  await import('#adapters/store-sqlite/database/driver.js');
  const missing = await missingData(config);
  if (missing !== undefined) return { findings: [fail('data', `${missing} ${MAKE_DATA}`)], isThere: false };
  const paths = [config.DATA_DIR, file, keysFolder(config)].filter((path) => existsSync(path));
  for (const path of [...paths, dirname(file)]) {
    const { uid } = statSync(path);
    if (foreignOwner(process.getuid?.(), [uid]) === undefined && isWritable(path)) continue;
    return {
      findings: [
        fail('data', `${path} cannot be written by this user: run the command as the user of the service.`),
      ],
      isThere: false,
    };
  }
  const warnings = dataWarnings(config).map((text) =>
    warn('data', `${text[0]?.toUpperCase()}${text.slice(1)}.`),
  );
  const findings = warnings.length > 0 ? warnings : [ok('data', `${file} is for its owner alone.`)];
  return {
    findings: [...findings, await checkDisk(dirname(file)), ...(await checkKeys(config))],
    isThere: true,
  };
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function checkDisk(folder: string): Promise<Finding> {
  const { DiskCheck } = await import('#adapters/store-sqlite/database/disk-check.js');
  const { bsize, blocks, bavail, files, ffree } = await statfs(folder);
  const free = bsize * bavail;
  const text =
    blocks === 0
      ? 'The disk does not report its size'
      : `${(free / 1e9).toFixed(1)} GB are free in ${folder}`;
  const defect = await new DiskCheck(folder).check();
  if (defect !== undefined) return fail('disk', `${defect} ${text}: remove files, or move the data.`);
  // Some file systems have no limit, and report 0.
  if (files > 0 && ffree < FEW_INODES)
    return warn('disk', `Only ${countText(ffree, 'inode')} of ${folder} are free: remove files.`);
  if (blocks > 0 && free < LITTLE_SPACE) return warn('disk', `Only ${text}: remove files, or move the data.`);
  return ok('disk', `${text}.`);
}

async function checkKeys(config: Config): Promise<readonly Finding[]> {
  const { FileKeyStore } = await import('#adapters/keys-file/file-key-store.js');
  const store = new FileKeyStore(keysFolder(config));
  const usable = (await store.list()).filter(({ privateKey }) => privateKey !== null);
  if (usable.length === 0 && config.AUTH_ENABLED)
    return [
      fail(
        'keys',
        'No signing key can be used, so nobody can sign in: restore a backup, or "weatherd keys rotate --lead 0".',
      ),
    ];
  const warnings = keyWarnings(config).map((text) => warn('keys', text));
  if (store.damaged.length > 0)
    warnings.push(warn('keys', `${store.damaged.join('; ')}. Restore what is damaged from a backup.`));
  return warnings.length > 0 ? warnings : [ok('keys', `${countText(usable.length, 'signing key')}.`)];
}

/** Whether the database answers, and has the schema of this version; and the last UTC day with observations. */
export async function checkDatabase(
  config: Config,
): Promise<{ readonly findings: readonly Finding[]; readonly lastDay: number | null }> {
  const file = dataFile(config);
  if (file !== undefined) {
    const { examineFile } = await import('#adapters/store-sqlite/files/examine-file.js');
    try {
      const { schema, known, lastDay } = examineFile(file);
      return { findings: [schemaFinding(file, schema, known)], lastDay };
    } catch (error) {
      const text = `${file} cannot be used: ${sentenceOf(reasonOf(error))}`;
      return { findings: [fail('database', text)], lastDay: null };
    }
  }
  const { examineDatabase } = await import('#adapters/store-postgres/examine/examine-database.js');
  const { server, schema, known, lastDay } = await examineDatabase(config.DATABASE_URL);
  const place = `${locationOf(config.DATABASE_URL)} (PostgreSQL ${server})`;
  return { findings: [schemaFinding(place, schema, known)], lastDay };
}

function schemaFinding(place: string, schema: number, known: number): Finding {
  if (schema === known) return ok('database', `${place} has version ${schema} of the schema.`);
  if (schema === 0)
    return warn('database', `${place} has no data of weatherd yet: weatherd init, or weatherd restore.`);
  if (schema > known)
    return fail(
      'database',
      `${place} was written by a newer weatherd (schema ${schema}, this one knows ${known}): install that version.`,
    );
  return warn(
    'database',
    `${place} has version ${schema} of the schema, and the next start brings it to ${known}: make a backup before.`,
  );
}
