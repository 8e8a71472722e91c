import { existsSync } from 'node:fs';
import type { Config } from '../config.js';
import { dataFile } from '../data/data-place.js';

/**
 * Says that data are about to be brought to the present schema: whoever opens them first does it, also a command that only reads.
 *
 * @param say is given the text
 */
export async function sayIfOlder(config: Config, say: (text: string) => void): Promise<void> {
  const file = dataFile(config);
  if (file === undefined || !existsSync(file)) return;
  const { examineFile } = await import('#adapters/store-sqlite/files/examine-file.js');
  const { schema, known } = schemasOf(() => examineFile(file));
  if (schema > 0 && schema < known) {
    say(
      `the data of an older version are brought to the present schema (${schema} to ${known}): older versions can no longer use them`,
    );
  }
}

/** A file that cannot be examined cannot be opened either: that says why. */
function schemasOf(examine: () => { readonly schema: number; readonly known: number }) {
  try {
    return examine();
  } catch {
    return { schema: 0, known: 0 };
  }
}
