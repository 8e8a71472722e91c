import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { locationOf } from '#adapters/store-postgres/database/location.js';
import type { Config } from '../config.js';
import { foreignOwner } from '../data/data-owner.js';
import { dataFile, keysFolder, INIT_HINT, missingData } from '../data/data-location.js';
import { dataWarnings, keyWarnings } from '../data/data-warnings.js';
import { reasonOf, sentenceOf } from '../reason.js';
import { countText, fail, type Finding, ok, warn } from './findings.js';

/** Number of free bytes below which an operator should act before the disk is full. */
const LITTLE_SPACE = 1_073_741_824;
/** Number of free inodes below which an operator should act. The service itself needs only a few inodes. */
const FEW_INODES = 1000;

/**
 * Checks whether the data exist and this user can read and write them.
 *
 * @returns `isThere` is false if the data do not exist or this user cannot use them; then the database cannot be checked
 */
export async function checkData(
  config: Config,
): Promise<{ readonly findings: readonly Finding[]; readonly isThere: boolean }> {
  const file = dataFile(config);
  if (file === undefined) return { findings: [], isThere: true };
  // If no driver works, this import throws an error with advice. The import comes first, because `missingData` needs a driver.
  await import('#adapters/store-sqlite/database/driver.js');
  const missing = await missingData(config);
  if (missing !== undefined) return { findings: [fail('data', `${missing} ${INIT_HINT}`)], isThere: false };
  const paths = [config.DATA_DIR, file, keysFolder(config)].filter((path) => existsSync(path));
  for (const path of [...paths, dirname(file)]) {
    const { uid } = statSync(path);
    if (foreignOwner(process.getuid?.(), [uid]) === undefined && isWritable(path)) continue;
    return {
      findings: [
        fail('data', `This user cannot write to ${path}: run the command as the user of the service.`),
      ],
      isThere: false,
    };
  }
  const warnings = dataWarnings(config).map((text) =>
    warn('data', `${text[0]?.toUpperCase()}${text.slice(1)}.`),
  );
  const findings = warnings.length > 0 ? warnings : [ok('data', `Only its owner has access to ${file}.`)];
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
  // Some file systems have no limit of inodes and report 0.
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
        'No signing key can be used, so nobody can sign in: restore a backup, or create a key with "weatherd keys rotate --lead 0".',
      ),
    ];
  const warnings = keyWarnings(config).map((text) => warn('keys', text));
  if (store.damaged.length > 0)
    warnings.push(warn('keys', `${store.damaged.join('; ')}. Restore the damaged keys from a backup.`));
  return warnings.length > 0 ? warnings : [ok('keys', `${countText(usable.length, 'signing key')}.`)];
}

/** Checks whether the database answers and has the schema of this version. @returns `lastDay` is the last UTC day with observations */
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
  const location = `${locationOf(config.DATABASE_URL)} (PostgreSQL ${server})`;
  return { findings: [schemaFinding(location, schema, known)], lastDay };
}

function schemaFinding(location: string, schema: number, known: number): Finding {
  if (schema === known) return ok('database', `${location} has version ${schema} of the schema.`);
  if (schema === 0)
    return warn(
      'database',
      `${location} has no data of weatherd yet: run "weatherd init" or "weatherd restore".`,
    );
  if (schema > known)
    return fail(
      'database',
      `${location} was written by a newer version of weatherd (schema ${schema}; this version supports ${known}): install the newer version.`,
    );
  return warn(
    'database',
    `${location} has version ${schema} of the schema, and the next start will migrate it to ${known}: make a backup before.`,
  );
}
