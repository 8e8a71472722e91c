import './deep-equality.js';
import './certificates.js';
import './own-settings.js';
import { countCoreOnly } from './coverage.js';
import { printOpenPages } from './open-pages.js';
import { makeServersFolder, removeServers } from './postgres.js';
import { leaveMemory, useMemory } from './temporary-folder.js';

/** Mocha calls this function in its main process before all suites. */
export async function mochaGlobalSetup(): Promise<void> {
  await useMemory();
  await makeServersFolder();
}

/** Mocha calls this function in its main process after all suites and workers have ended. */
export async function mochaGlobalTeardown(): Promise<void> {
  await removeServers();
  leaveMemory();
}

export const mochaHooks: Mocha.RootHookObject = {
  beforeAll(this: Mocha.Context) {
    countCoreOnly(this.test?.parent?.suites[0]?.file ?? '');
  },
  async afterEach(this: Mocha.Context) {
    if (this.currentTest?.state === 'failed') await printOpenPages();
  },
};
