import { MILLISECONDS } from '#domain/time.js';

/** Time after which people wonder, in milliseconds. */
const FIRST = 3 * MILLISECONDS.second;
const AGAIN = 30 * MILLISECONDS.second;

/**
 * Says from time to time that data are still being opened: the files of an older version are brought to the present schema first,
 * which takes minutes for millions of observations.
 *
 * @param say is given the text
 */
export async function sayingIfSlow<T>(opening: Promise<T>, say: (text: string) => void): Promise<T> {
  const begin = Date.now();
  const tell = () => {
    const seconds = Math.round((Date.now() - begin) / MILLISECONDS.second);
    say(
      `the data are still being opened, after ${seconds} s: those of an older version are brought to the present schema; do not end it`,
    );
    timer = setTimeout(tell, AGAIN);
  };
  let timer = setTimeout(tell, FIRST);
  try {
    return await opening;
  } finally {
    clearTimeout(timer);
  }
}
