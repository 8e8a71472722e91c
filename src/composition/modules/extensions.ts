import { IMPORT_FORMATS } from '#adapters/formats/import-formats/import-formats.js';
import type { ImportFormat } from '#adapters/formats/import-formats/import-format.js';
import { STATION_PRESET } from '#adapters/imports/plan/import-plan.js';
import { SOURCE_KINDS } from '#adapters/source-kinds/source-kinds.js';
import { mailKind, type MailServer } from '#adapters/target-kinds/mail.js';
import { TARGET_KINDS } from '#adapters/target-kinds/target-kinds.js';
import type { SourceKind } from '#application/ports/source-kind.js';
import type { TargetKind } from '#application/ports/target-kind.js';
import { type Contract, loadExport, loadModule } from './module-name.js';

const NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

const SOURCE_KIND: Contract<SourceKind> = {
  what: 'a kind of source',
  page: 'docs/sources.md',
  isMet: ({ name, title, reach, shortestInterval, settings, ask, datagrams }) =>
    isNamed({ name, title }) &&
    (reach === 'local' || reach === 'public') &&
    typeof shortestInterval === 'number' &&
    typeof settings === 'object' &&
    (typeof ask === 'function' || typeof datagrams === 'object'),
};

const IMPORT_FORMAT: Contract<ImportFormat> = {
  what: 'an import format',
  page: 'docs/import.md',
  isMet: ({ name, title, recognize }) => isNamed({ name, title }) && typeof recognize === 'function',
};

const TARGET_KIND: Contract<TargetKind> = {
  what: 'a kind of target',
  page: 'docs/targets.md',
  isMet: ({ name, title, settings, weather, notify }) =>
    isNamed({ name, title }) &&
    typeof settings === 'object' &&
    (weather === undefined
      ? typeof notify === 'function'
      : typeof weather.send === 'function' && weather.interval > 0),
};
/** Names of other targets in the API and in stored hooks. */
const TARGET_NAMES = ['post', 'command', 'upload', 'service'];

/** The kinds of sources: those of the project, and those of the modules in the settings. @throws see `withModules` */
export function loadSourceKinds(modules: readonly string[]): Promise<readonly SourceKind[]> {
  return withModules(SOURCE_KINDS, modules, SOURCE_KIND);
}

/** The kinds of targets: those of the project, and those of the modules in the settings. @throws see `withModules` */
export function loadTargetKinds(
  modules: readonly string[],
  mailServer?: MailServer,
): Promise<readonly TargetKind[]> {
  return withModules([...TARGET_KINDS, mailKind(mailServer)], modules, TARGET_KIND, TARGET_NAMES);
}

/** The import formats: those of the project, and those of the modules in the settings. @throws see `withModules` */
export function loadImportFormats(modules: readonly string[]): Promise<readonly ImportFormat[]> {
  return withModules(IMPORT_FORMATS, modules, IMPORT_FORMAT, [STATION_PRESET]);
}

/**
 * Adds the default exports of modules to a list of the project.
 *
 * @param modules paths or packages
 * @param reserved names that no module may use, besides those of the list
 * @throws Error in one line if a module cannot be loaded, exports something else, or uses a name again
 */
async function withModules<T extends { readonly name: string }>(
  own: readonly T[],
  modules: readonly string[],
  contract: Contract<T>,
  reserved: readonly string[] = [],
): Promise<readonly T[]> {
  const all = [...own];
  const names = new Set([...reserved, ...own.map(({ name }) => name)]);
  for (const module of modules) {
    const added = await loadExport(module, contract, () => loadModule(module));
    if (names.has(added.name))
      throw new Error(
        `The module ${module} exports ${contract.what} with the name ${added.name}, which exists already.`,
      );
    names.add(added.name);
    all.push(added);
  }
  return all;
}

function isNamed({ name, title }: { readonly name: unknown; readonly title: unknown }): boolean {
  return typeof name === 'string' && NAME.test(name) && typeof title === 'string' && title !== '';
}
