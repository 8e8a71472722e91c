/** The code of a part of a page could not be loaded. */
export class PartMissing extends Error {
  override readonly name = 'PartMissing';
}

let attempts = 0;

/**
 * Loads the code of a part of a page. Chromium remembers for the life of a page that a module could not be fetched, and names its
 * address in the error: another address of the same file is fetched again.
 *
 * @param load imports the module @throws PartMissing
 */
export async function loadPart<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    const { message } = error as Error;
    const [address] = /^https?:\S+\.js/.exec(message.slice(message.search(/https?:/))) ?? [];
    if (address === undefined) throw new PartMissing('', { cause: error });
    attempts += 1;
    try {
      return (await import(`${address}?attempt=${attempts}`)) as Module;
    } catch (cause) {
      throw new PartMissing('', { cause });
    }
  }
}

/**
 * As `loadPart`, for a visitor who asked for it. Where the file itself is gone, because the service was updated, or a module that it
 * imports was not fetched, only the page as a whole can be loaded again; that is done if the service answers.
 *
 * @throws PartMissing
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
