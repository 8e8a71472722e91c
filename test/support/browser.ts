import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
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
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--font-render-hinting=none',
      // All pages of a context use one process, and the browser draws in its own process.
      '--renderer-process-limit=1',
      '--in-process-gpu',
      // Functions of a page run too seldom in a test to be worth optimizing.
      '--js-flags=--no-opt,--single-threaded',
      // The browser reaches no other computer.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
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
export interface RecordedPage {
  readonly page: Page;
  /** The recorded faults, one line each. */
  readonly faults: string[];
  /** URLs of all requests. */
  readonly requested: string[];
}

/** A recorded page that belongs to one test, which closes it. */
export interface WatchedPage extends RecordedPage {
  readonly close: () => Promise<void>;
}

export interface PageOptions extends Omit<BrowserContextOptions, 'baseURL'> {
  /** Whether the page can open the event stream. */
  readonly events?: boolean;
  /**
   * Whether the browser has the language `en-IE`, which is the default. If false, the browser keeps the language of its process,
   * which is `en-US@posix`.
   */
  readonly hasLocale?: boolean;
}

/**
 * Answers requests for the event stream in the page with 204, because a page with an open stream is never idle. Without the stream,
 * the page reads the values each minute.
 */
const WITHOUT_STREAM = `{
  const { fetch } = globalThis;
  globalThis.fetch = (resource, options) =>
    new URL(resource.url ?? resource, location).pathname === '/v1/events'
      ? Promise.resolve(new Response(null, { status: 204 }))
      : fetch(resource, options);
}`;

/** Number of contexts that a browser keeps for later pages. The process of each needs memory. */
const MAX_FREE_CONTEXTS = 6;

/**
 * The contexts of a browser. A page that is closed leaves its context and the process of the context to the next page with the same
 * options, also to a page of another site, because a new process takes a quarter of the CPU time of a page.
 */
export class Contexts {
  readonly #browser: Browser;
  /**
   * Contexts that no test uses, with their options, in the order in which they became free. Each keeps its last page, without
   * content, and with it the process.
   */
  readonly #free: { readonly key: string; readonly context: BrowserContext }[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  async take(options: PageOptions): Promise<BrowserContext> {
    const index = this.#free.findLastIndex(({ key }) => key === JSON.stringify(options));
    const [found] = index === -1 ? [] : this.#free.splice(index, 1);
    return found?.context ?? this.#make(options);
  }

  /** Keeps a context for later pages. @param options those with which the context was taken */
  async give(context: BrowserContext, options: PageOptions): Promise<void> {
    this.#free.push({ key: JSON.stringify(options), context });
    if (this.#free.length > MAX_FREE_CONTEXTS) await this.#free.shift()?.context.close();
  }

  async #make({ events, hasLocale = true, ...options }: PageOptions): Promise<BrowserContext> {
    // `en-IE` has metric units.
    const language = hasLocale ? { locale: 'en-IE' } : {};
    const context = await this.#browser.newContext({ ...language, ...options });
    context.setDefaultTimeout(120_000);
    if (events !== true) await context.addInitScript(WITHOUT_STREAM);
    return context;
  }
}

/** Opens the pages of one site. */
export class Pages {
  readonly #contexts: Contexts;
  /** Contexts of the open pages. */
  readonly #used = new Set<BrowserContext>();
  /** The first of the pages that tests only look at. The others have the same context. */
  #shared: Promise<WatchedPage> | undefined;

  constructor(contexts: Contexts) {
    this.#contexts = contexts;
  }

  /**
   * Opens an empty page, without anything that a page of another test has stored.
   *
   * @param origin origin of the service; requests to other origins are faults
   */
  async open(origin: string, { viewport, colorScheme, ...options }: PageOptions = {}): Promise<WatchedPage> {
    const context = await this.#contexts.take(options);
    this.#used.add(context);
    const watched = await replacePage(context, origin);
    const { page } = watched;
    if (viewport) await page.setViewportSize(viewport);
    if (colorScheme) await page.emulateMedia({ colorScheme });
    const close = async (): Promise<void> => {
      for (const other of context.pages()) if (other !== page) await other.close();
      // A navigation of the page itself, which still goes on, can interrupt this one.
      const isEmpty = await page.goto('about:blank').then(
        () => true,
        () => false,
      );
      this.#used.delete(context);
      await (isEmpty ? this.#contexts.give(context, options) : context.close());
    };
    return { ...watched, close };
  }

  /** Opens an empty page in one context for all pages that tests only look at. */
  async share(origin: string): Promise<RecordedPage> {
    if (this.#shared === undefined) return (this.#shared = this.open(origin));
    return watch((await this.#shared).page.context(), origin);
  }

  /** Closes all pages. */
  async close(): Promise<void> {
    await (await this.#shared)?.close();
    await Promise.all([...this.#used].map((context) => context.close()));
  }
}

async function watch(context: BrowserContext, origin: string): Promise<RecordedPage> {
  const page = await context.newPage();
  rememberPage(page);
  const faults: string[] = [];
  const requested: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('request', (request) => {
    const address = request.url();
    requested.push(address);
    if (new URL(address).origin !== new URL(origin).origin && !address.startsWith('data:'))
      faults.push(`foreign origin: ${address}`);
  });
  return { page, faults, requested };
}

/** Replaces the page of a context, if it has one, and clears what the context has stored. */
async function replacePage(context: BrowserContext, origin: string): Promise<RecordedPage> {
  const [before] = context.pages();
  const watched = await watch(context, origin);
  if (before === undefined) return watched;
  await context.setOffline(false);
  await context.clearCookies();
  const client = await context.newCDPSession(watched.page);
  await client.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await client.send('Network.clearBrowserCache');
  await before.close();
  return watched;
}
