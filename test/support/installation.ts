import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { runCommand } from '#composition/command.js';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const PARTS = ['package.json', 'bin', 'dist/service', 'clients/c'];

/** Both drivers of SQLite. An installation has at least one of these drivers. */
export const DRIVERS = ['better-sqlite3', 'better-sqlite3-13'];

/** Modules that end their own thread while the module is loaded. */
export const ENDS_AT_START: Readonly<Record<string, string>> = {
  throws: "throw new Error('planted');",
  rejects: "await Promise.reject(new Error('planted'));",
  exits: 'process.exit(0);',
};

/** A copy of the built service with its own packages, so that tests can remove or break parts of it. */
export class Installation {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** @param without packages that are not installed */
  static async make(without: readonly string[] = []): Promise<Installation> {
    const folder = await mkdtemp(join(tmpdir(), 'weatherd-installation-'));
    const isMap = (path: string) => path.endsWith('.map');
    for (const part of PARTS)
      await cp(join(PROJECT, part), join(folder, part), { recursive: true, filter: (path) => !isMap(path) });
    await symlink(join(PROJECT, 'dist/site'), join(folder, 'dist/site'));
    const modules = join(folder, 'node_modules');
    await mkdir(modules);
    for (const name of await readdir(join(PROJECT, 'node_modules')))
      if (!name.startsWith('.') && !without.includes(name))
        await symlink(join(PROJECT, 'node_modules', name), join(modules, name));
    return new Installation(folder);
  }

  get main(): string {
    return join(this.folder, 'bin/weatherd.mjs');
  }

  /** Loads the function of this installation that runs a command line. The name of its module depends on its content. */
  async loadCommand(): Promise<typeof runCommand> {
    const [name = ''] = /command-\w+\.js/.exec(await this.readModule('main.js')) ?? [];
    const url = pathToFileURL(join(this.folder, 'dist/service', name)).href;
    return ((await import(url)) as { readonly runCommand: typeof runCommand }).runCommand;
  }

  /** Adds a package with one module. */
  async addPackage(name: string, text: string): Promise<void> {
    const folder = join(this.folder, 'node_modules', name);
    await mkdir(folder);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name, main: 'index.cjs' }));
    await writeFile(join(folder, 'index.cjs'), text);
  }

  async readModule(name: string): Promise<string> {
    return await readFile(join(this.folder, 'dist/service', name), 'utf8');
  }

  /** Replaces a module of the service, for example the module of a thread or a process. */
  async replaceModule(name: string, text: string): Promise<void> {
    await writeFile(join(this.folder, 'dist/service', name), text);
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }
}
