import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));

type Packages = Readonly<Record<string, string>>;

/** The fields of package.json that name packages. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, string | { readonly types: string }>>;
  readonly bin?: Packages;
  readonly scripts?: Packages;
  readonly dependencies?: Packages;
  readonly optionalDependencies?: Packages;
  readonly peerDependencies?: Packages;
  readonly devDependencies?: Packages;
}

/** The parts of package-lock.json that the bill of materials needs. */
export interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string; readonly dependencies?: Packages }>>;
}

/** A package that a bundle contains. */
export interface Bundled {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/** The parts of a bill of materials that tests read. */
export interface Bill {
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly scope: string;
    readonly licenses: readonly object[];
    readonly evidence?: { readonly occurrences: readonly { readonly location: string }[] };
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const load = async (name: string) =>
  (await import(pathToFileURL(join(PROJECT, 'scripts', name)).href)) as unknown;

/** Functions of modules in `scripts/`. */
export const { INSTALLED, BESIDE, UNUSED, publishedManifest, publishManifest, restoreManifest } = (await load(
  'manifest.mjs',
)) as {
  readonly INSTALLED: readonly string[];
  readonly BESIDE: readonly string[];
  readonly UNUSED: readonly string[];
  readonly publishedManifest: (project: Manifest) => Manifest;
  readonly publishManifest: (root: string) => void;
  readonly restoreManifest: (root: string) => void;
};
export const { sbom } = (await load('sbom.mjs')) as {
  readonly sbom: (
    manifest: Manifest,
    lock: Lock,
    bundles: Readonly<Record<string, readonly Bundled[]>>,
  ) => Bill;
};
export const { keepReachedDeclarations } = (await load('declarations.mjs')) as {
  readonly keepReachedDeclarations: (root: string) => void;
};
export const { packedFiles, setModes } = (await load('modes.mjs')) as {
  readonly packedFiles: (root: string) => readonly string[];
  readonly setModes: (root: string) => void;
};
export const { shorten } = (await load('source-maps.mjs')) as {
  readonly shorten: (mappings: string) => string;
};

const readJson = (path: string) => JSON.parse(readFileSync(join(PROJECT, path), 'utf8')) as unknown;

export const readManifest = () => readJson('package.json') as Manifest;
export const readLock = () => readJson('package-lock.json') as Lock;

/** The packages that a bundle contains. @param folder folder of the bundle, for example `dist/site` */
export const packagesOf = (folder: string) => readJson(`${folder}/packages.json`) as readonly Bundled[];
