import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Why this platform cannot run the browser; undefined if it can. */
export const noBrowserReason =
  process.platform === 'linux' && process.arch === 'x64'
    ? undefined
    : `the browser of @sparticuz/chromium runs on Linux with x64 only, not on ${process.platform} ${process.arch}`;

/** Starts the headless Chromium that comes in the package @sparticuz/chromium. It needs no library of the system. */
export function launchBrowser(): Promise<Browser> {
  const folder = unpacked();
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--font-render-hinting=none'],
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  });
}

/** The folder with the unpacked browser. It is kept for later runs. */
function unpacked(): string {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.resolve('@sparticuz/chromium')), 'utf8'),
  ) as { version: string };
  const folder = join(tmpdir(), `weatherd-chromium-${version}-${process.getuid?.() ?? 0}`);
  if (existsSync(folder)) return folder;
  // The package unpacks into the directory for temporary files, and its libraries only where it believes to be on AWS.
  const temporary = mkdtempSync(join(tmpdir(), 'weatherd-chromium-'));
  execFileSync(
    process.execPath,
    ['--input-type=module', '--eval', "await (await import('@sparticuz/chromium')).default.executablePath()"],
    {
      cwd: fileURLToPath(new URL('../../..', import.meta.url)),
      env: { ...process.env, TMPDIR: temporary, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
    },
  );
  // Its own list of font folders names places that only AWS has.
  writeFileSync(
    join(temporary, 'fonts', 'fonts.conf'),
    `<?xml version="1.0"?><fontconfig><dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>`,
  );
  try {
    renameSync(temporary, folder);
  } catch (error) {
    // Another process was faster.
    if (!existsSync(folder)) throw error;
    rmSync(temporary, { recursive: true, force: true });
  }
  return folder;
}

/** A page that notes what it must not do: errors, violations of the policy, requests to other origins. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors of scripts, of the policy and of requests that failed; one line each. */
  readonly faults: string[];
  /** Every address that was asked for. */
  readonly requested: string[];
  readonly close: () => Promise<void>;
}

export interface PageOptions extends BrowserContextOptions {
  /** Whether the page gets the stream of events. */
  readonly events?: boolean;
}

/** @param origin the service; requests to other origins are faults and get no answer */
export async function openPage(
  browser: Browser,
  origin: string,
  { events, ...options }: PageOptions = {},
): Promise<WatchedPage> {
  // Without a locale this browser calls its language `en-US@posix`, which `Intl` refuses. Ireland has English and metric units.
  const context = await browser.newContext({ baseURL: origin, locale: 'en-IE', ...options });
  const page = await context.newPage();
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
    // A stream never ends, so that a page with one is never idle. Without it the page reads the values each minute.
    if (new URL(address).pathname === '/v1/events' && events !== true) return route.fulfill({ status: 204 });
    if (new URL(address).origin === new URL(origin).origin || address.startsWith('data:'))
      return route.continue();
    faults.push(`foreign origin: ${address}`);
    return route.abort();
  });
  return { page, faults, requested, close: () => context.close() };
}
