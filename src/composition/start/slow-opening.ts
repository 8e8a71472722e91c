import { MILLISECONDS } from '#domain/time.js';

/** Milliseconds until the first notice. */
const FIRST_DELAY = 3 * MILLISECONDS.second;
/** Milliseconds between two notices. */
const INTERVAL = 30 * MILLISECONDS.second;

/**
 * Prints a notice at intervals while data are being opened. The data of an older version are migrated first, which takes minutes for
 * millions of observations.
 *
 * @param print called with each notice
 * @param isMigration whether the data are known to be of an older version
 */
export async function reportIfSlow<T>(
  opening: Promise<T>,
  print: (text: string) => void,
  isMigration: boolean,
): Promise<T> {
  const why = isMigration
    ? ': data of an older version are migrated to the current schema; do not end the process'
    : '';
  const startedAt = Date.now();
  const notify = () => {
    const seconds = Math.round((Date.now() - startedAt) / MILLISECONDS.second);
    print(`the data are still being opened, after ${seconds} s${why}`);
    timer = setTimeout(notify, INTERVAL);
  };
  let timer = setTimeout(notify, FIRST_DELAY);
  try {
    return await opening;
  } finally {
    clearTimeout(timer);
  }
}
