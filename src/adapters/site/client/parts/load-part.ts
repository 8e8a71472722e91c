import { recheckConnection } from '../live/connection.js';

/** The browser could not load the code of a part of a page. */
export class PartLoadError extends Error {
  override readonly name = 'PartMissing';
}

let attempts = 0;

/**
 * Loads the code of a part of a page. If a module cannot be fetched, Chromium does not fetch its URL again until the page is
 * reloaded. The error contains this URL. The second attempt adds a query to the URL, so that Chromium fetches the module again.
 *
 * @param load imports the module
 * @throws PartLoadError
 */
export async function loadPart<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const { message } = error as Error;
    const [address] = /^https?:\S+\.js/.exec(message.slice(message.search(/https?:/))) ?? [];
    if (address === undefined) throw new PartLoadError('', { cause: error });
    attempts += 1;
    try {
      return (await import(`${address}?attempt=${attempts}`)) as Module;
    } catch (cause) {
      // Perhaps the service cannot be reached, and the page does not know this yet.
      recheckConnection();
      throw new PartLoadError('', { cause });
    }
  }
}

/**
 * Loads the code of a part of a page after the visitor has asked for another attempt. If this attempt also fails and the service
 * can be reached, the whole page is reloaded. Only a reload helps if an update of the service has removed the file, or if a
 * module that the file imports could not be fetched.
 *
 * @throws PartLoadError
 */
export async function loadPartAgain<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await loadPart(load);
  } catch (error) {
    const { ok } = await fetch(location.href, { method: 'HEAD' }).catch(() => ({ ok: false }));
    if (ok) location.reload();
    throw error;
  }
}
