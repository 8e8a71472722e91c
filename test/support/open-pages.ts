import type { Page } from 'playwright-core';

/** The pages that tests of this process have opened and not closed. */
const openPages = new Set<Page>();

/** Remembers a page until it is closed. */
export function rememberPage(page: Page): void {
  openPages.add(page);
  page.once('close', () => openPages.delete(page));
}

/** Prints the address and the text of each open page that has content, so that a failed test tells what its pages showed. */
export async function printOpenPages(): Promise<void> {
  for (const page of openPages) {
    if (page.url() === 'about:blank') continue;
    const text = await page.innerText('body', { timeout: 5000 }).catch((error: Error) => error.message);
    console.error(`A page of the failed test, ${page.url()}:\n${text}`);
  }
}
