import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { rememberPage } from './open-pages.js';
import { cacheFolder } from './temporary-folder.js';

/** The reason why this platform cannot run the browser; undefined if the browser can run. */
export const noBrowserReason =
  process.platform === 'linux' && process.arch === 'x64'
    ? undefined
    : `the browser of @sparticuz/chromium runs on Linux with x64 only, not on ${process.platform} ${process.arch}`;

/** Starts the headless Chromium of the package @sparticuz/chromium. The package contains all libraries that the browser needs. */
export function launchBrowser(): Promise<Browser> {
  const folder = unpacked();
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    env: {
      ...process.env,
      LC_ALL: 'C',
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  });
}

/** Unpacks the browser if necessary. @returns the folder of the browser, which later test runs use again */
function unpacked(): string {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.resolve('@sparticuz/chromium')), 'utf8'),
  ) as { version: string };
  const folder = join(cacheFolder(), `weatherd-chromium-${version}-${process.getuid?.() ?? 0}`);
  if (existsSync(folder)) return folder;
  // The package unpacks into `TMPDIR`, and it unpacks its libraries only if the environment looks like AWS.
  const temporary = mkdtempSync(join(cacheFolder(), 'weatherd-chromium-'));
  execFileSync(
    process.execPath,
    ['--input-type=module', '--eval', "await (await import('@sparticuz/chromium')).default.executablePath()"],
    {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      env: { ...process.env, TMPDIR: temporary, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
    },
  );
  // The font configuration of the package contains folders that exist on AWS only.
  writeFileSync(
    join(temporary, 'fonts', 'fonts.conf'),
    `<?xml version="1.0"?><fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`,
  );
  try {
    renameSync(temporary, folder);
  } catch (error) {
    // The error is harmless if another process has unpacked the browser at the same time.
    if (!existsSync(folder)) throw error;
    rmSync(temporary, { recursive: true, force: true });
  }
  return folder;
}

/** A page that records its faults: errors, violations of the content security policy, and requests to other origins. */
export interface WatchedPage {
  readonly page: Page;
  /** The recorded faults, one line each. */
  readonly faults: string[];
  /** URLs of all requests. */
  readonly requested: string[];
  readonly close: () => Promise<void>;
}

export interface PageOptions extends BrowserContextOptions {
  /** Whether the page can open the event stream. */
  readonly events?: boolean;
  /**
   * Whether the browser has the language `en-IE`, which is the default. If false, the browser keeps the language of its process,
   * which is `en-US@posix`.
   */
  readonly hasLocale?: boolean;
}

/** Opens a page. @param origin origin of the service; requests to other origins are faults and are aborted */
export async function openPage(
  browser: Browser,
  origin: string,
  { events, hasLocale = true, ...options }: PageOptions = {},
): Promise<WatchedPage> {
  // `en-IE` has metric units.
  const language = hasLocale ? { locale: 'en-IE' } : {};
  const context = await browser.newContext({ baseURL: origin, ...language, ...options });
  const page = await context.newPage();
  rememberPage(page);
  page.setDefaultTimeout(120_000);
  const faults: string[] = [];
  const requested: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  await page.route('**/*', async (route) => {
    const address = route.request().url();
    requested.push(address);
    // The event stream stays closed unless a test needs it, because a page with an open stream is never idle. Without the stream,
    // the page reads the values each minute.
    if (new URL(address).pathname === '/v1/events' && events !== true) return route.fulfill({ status: 204 });
    if (new URL(address).origin === new URL(origin).origin || address.startsWith('data:'))
      return route.continue();
    faults.push(`foreign origin: ${address}`);
    return route.abort();
  });
  return { page, faults, requested, close: () => context.close() };
}
