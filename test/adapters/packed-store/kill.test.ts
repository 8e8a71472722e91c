import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Stores } from '#application/ports/stores.js';
import { compareFlags } from '../../support/churned-flags.js';
import { compareRows } from '../../support/churned-rows.js';
import { DRAFTS } from '../../support/churned-steps.js';
import { copyAndVerify } from '../../support/copied-store.js';
import { Place } from '../../support/place.js';
import { verify } from '../../support/verify-watch.js';

/** `KILLS=200 npm test -- --grep 'killed at any point'` kills more often than usual. */
const KILLS = Number(process.env['KILLS'] ?? 6);
/** Most kills are of SQLite, where the process that is killed is the database too. */
const SHARES = { sqlite: 0.7, postgres: 0.2 } as const;
const COPIES = 0.1;
/** Number of kills after which all rows and flags are compared. After each one the check runs. */
const COMPARED = 10;
/** Most steps that a process makes before it is killed, and the longest time in milliseconds from the last one to the kill. */
const STEPS = 3;
const LONGEST = 100;
/** Milliseconds. Judging the rows of all processes takes a minute on a busy machine. */
const MAX_TEST_TIME = 400_000;

const CHURNER = new URL('../../support/store-churner.js', import.meta.url);
const COPIER = new URL('../../support/store-copier.js', import.meta.url);

describe('processes that are killed at any point', () => {
  const places: Place[] = [];
  const makePlace = async (name: string) => {
    const place = await Place.make(name);
    places.push(place);
    return place;
  };
  afterEach(async () => {
    await Promise.all(places.splice(0).map((place) => place.remove()));
  });

  /** Starts a process and collects its standard error. */
  const start = (module: URL, parameters: readonly string[]) => {
    const child = fork(module, parameters, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let errors = '';
    child.stderr?.on('data', (text: Buffer) => (errors += text.toString()));
    return { child, errors: () => errors };
  };
  const ended = async (child: ChildProcess) => {
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };

  const withStores = async (place: Place, work: (stores: Stores) => Promise<unknown>) => {
    const stores = await place.open();
    try {
      await work(stores);
    } finally {
      await stores.close();
    }
  };

  /** Kills a churning process some time after some steps. @returns the number of acknowledged steps */
  const churnOnce = async ({ folder, databaseUrl }: Place, known: number) => {
    const { child, errors } = start(CHURNER, [folder, databaseUrl, String(known)]);
    const target = known + 1 + Math.floor(Math.random() * STEPS);
    let steps = known;
    const begun = new Promise<void>((resolve) => {
      child.on('message', (step: number) => {
        steps = step + 1;
        if (steps >= target) resolve();
      });
    });
    await Promise.race([begun, ended(child)]);
    await sleep(Math.random() * LONGEST);
    expect(child.exitCode, `after ${known} steps: ${errors()}`).to.equal(null);
    child.kill('SIGKILL');
    await ended(child);
    return steps;
  };

  const churned = async (name: keyof typeof SHARES) => {
    const place = await makePlace(name);
    await withStores(place, ({ stations }) => stations.put(DRAFTS));
    let steps = 0;
    const compare = () =>
      withStores(place, async (stores) => {
        await verify(stores);
        await compareFlags(stores, await compareRows(stores, steps), steps);
      });
    for (let kill = 1; kill <= Math.round(KILLS * SHARES[name]); kill += 1) {
      steps = await churnOnce(place, steps);
      if (kill % COMPARED === 0) await compare();
    }
    expect(steps).to.be.above(0);
    await compare();
    return place;
  };

  it('lose nothing that PostgreSQL has acknowledged, and the check finds nothing wrong', async () => {
    await churned('postgres');
  }).timeout(MAX_TEST_TIME);

  it('lose nothing that SQLite has acknowledged, nor anything of a copy, and the check finds nothing wrong', async () => {
    const source = await churned('sqlite');
    const target = await makePlace('sqlite');
    const places4 = [source.folder, source.databaseUrl, target.folder, target.databaseUrl];
    for (let kill = 0; kill < Math.round(KILLS * COPIES); kill += 1) {
      const { child, errors } = start(COPIER, places4);
      await Promise.race([once(child, 'message'), ended(child)]);
      await sleep((Math.random() * LONGEST) / 2);
      child.kill('SIGKILL');
      await ended(child);
      expect(errors()).to.equal('');
    }
    await withStores(source, (from) => withStores(target, (to) => copyAndVerify(from, to)));
  }).timeout(MAX_TEST_TIME);
});
