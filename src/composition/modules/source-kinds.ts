import { SOURCE_KINDS } from '#adapters/source-kinds/source-kinds.js';
import type { SourceKind } from '#application/ports/source-kind.js';
import { loadModule } from './module-name.js';

/**
 * The kinds of sources: those of the project, and those of the modules in the settings.
 *
 * @param modules paths or packages. A module exports a kind as default.
 * @throws Error if a module cannot be loaded, does not export a kind, or names a kind that exists
 */
export async function loadSourceKinds(modules: readonly string[]): Promise<readonly SourceKind[]> {
  const kinds = [...SOURCE_KINDS];
  for (const name of modules) {
    let kind: Partial<SourceKind> | undefined;
    try {
      kind = ((await loadModule(name)) as { readonly default?: Partial<SourceKind> }).default;
    } catch (error) {
      throw new Error(`The source kind ${name} cannot be loaded: ${(error as Error).message}`, {
        cause: error,
      });
    }
    if (!isKind(kind))
      throw new Error(`The module ${name} does not export a kind of source (docs/sources.md).`);
    if (kinds.some((one) => one.name === kind.name))
      throw new Error(`The module ${name} exports the kind ${kind.name}, which exists already.`);
    kinds.push(kind);
  }
  return kinds;
}

function isKind(kind: Partial<SourceKind> | undefined): kind is SourceKind {
  return (
    typeof kind?.name === 'string' &&
    /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/.test(kind.name) &&
    typeof kind.title === 'string' &&
    (kind.reach === 'local' || kind.reach === 'public') &&
    typeof kind.shortestInterval === 'number' &&
    typeof kind.settings === 'object' &&
    (typeof kind.ask === 'function' || typeof kind.datagrams === 'object')
  );
}
