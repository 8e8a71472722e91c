import { existsSync } from 'node:fs';
import type { Config } from '../config.js';
import { dataFile } from '../data/data-location.js';

/**
 * Prints a notice if the data will be migrated to the current schema. The first process that opens the data migrates them, even
 * if its command only reads.
 *
 * @param print called with the notice
 * @returns whether the data are known to be of an older version. Of a database on a server this is not known
 */
export async function announceMigration(config: Config, print: (text: string) => void): Promise<boolean> {
  const file = dataFile(config);
  if (file === undefined || !existsSync(file)) return false;
  const { examineFile } = await import('#adapters/store-sqlite/files/examine-file.js');
  const { schema, known } = schemasOf(() => examineFile(file));
  const isOlder = schema > 0 && schema < known;
  if (isOlder)
    print(
      `the data of an older version are being migrated from schema ${schema} to ${known}; older versions can no longer use them`,
    );
  return isOlder;
}

/**
 * Returns two numbers: the version of the schema of the file (`schema`), and the version that this program uses (`known`). Both
 * are 0 if the file cannot be examined. When the file is opened later, the reason is reported.
 */
function schemasOf(examine: () => { readonly schema: number; readonly known: number }) {
  try {
    return examine();
  } catch {
    return { schema: 0, known: 0 };
  }
}
