import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { importFileName } from '#application/observations/imports/import-file-name.js';
import { ImportJobs, type ImportJobsDependencies } from '#application/observations/imports/import-jobs.js';
import type {
  FileImporter,
  ImportFollower,
  ImportSettings,
  PlannedImport,
} from '#application/ports/file-importer.js';
import type { ImportRecord } from '#application/ports/import-log.js';
import type { ImportFolder } from '#application/ports/import-folder.js';
import type { ImportAnswers, ImportState } from '#application/ports/import-service.js';
import { DomainError } from '#domain/domain-error.js';
import { CALLER } from '../../../support/world.js';
import { CountingIds, FakeClock } from '../../fakes/fakes.js';

const PLAN: PlannedImport = { plans: [], files: 1, skipped: [], questions: [], problem: null };
const QUESTION = {
  key: 'unit:wind',
  text: 'In which unit is wind?',
  choices: ['m/s', 'kt'],
  code: 'unit',
  values: { quantity: 'wind' },
};
const CONFIRM: ImportAnswers = { answers: {}, settings: undefined, isConfirmed: true };

/** A folder in memory, which a test may give to a second service. */
class MemoryFolder implements ImportFolder {
  readonly records = new Map<string, string>();
  receive = () => Promise.resolve(1);
  lastByteAt = () => Promise.resolve(undefined);
  load = () => Promise.resolve([...this.records.values()].map((text) => JSON.parse(text) as unknown));

  save(id: string, record: unknown): Promise<void> {
    this.records.set(id, JSON.stringify(record));
    return Promise.resolve();
  }

  remove(id: string): Promise<void> {
    this.records.delete(id);
    return Promise.resolve();
  }
}

/** An importer whose steps end when a test says so. */
class SteppedImporter implements FileImporter {
  readonly settings: ImportSettings[] = [];
  plans: (() => PlannedImport | Promise<PlannedImport>)[] = [];
  writes = 0;
  /** Number of plans and writes that have not ended. */
  active = 0;
  follower: ImportFollower | undefined;
  #end: (error?: Error) => void = () => undefined;

  plan(_file: unknown, settings: ImportSettings): Promise<PlannedImport> {
    this.settings.push(settings);
    const plan = this.plans.shift();
    this.active += 1;
    return Promise.resolve()
      .then(() => plan?.() ?? PLAN)
      .finally(() => (this.active -= 1));
  }

  write(...[, , , follower, signal]: Parameters<FileImporter['write']>): Promise<void> {
    this.writes += 1;
    this.follower = follower;
    this.active += 1;
    return new Promise<void>((resolve, reject) => {
      this.#end = (error) => (error === undefined ? resolve() : reject(error));
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      if (signal.aborted) reject(signal.reason as Error);
    }).finally(() => (this.active -= 1));
  }

  async end(error?: Error): Promise<void> {
    this.#end(error);
    await turns();
  }
}

/** Lets all pending promises settle. */
const turns = () => new Promise((resolve) => setImmediate(resolve));

describe('ImportJobs', () => {
  const clock = new FakeClock();
  let folder: MemoryFolder;
  let importer: SteppedImporter;
  let undone: number[];
  let logged: Partial<ImportRecord>[];
  let isShared: boolean;
  let jobs: ImportJobs;

  const make = () => {
    importer = new SteppedImporter();
    return new ImportJobs(
      {
        clock,
        ids: new CountingIds(),
        folder,
        importer,
        directory: { current: () => Promise.resolve({ byId: new Map([['JFK', {}]]) }) },
        imports: {
          execute: () => Promise.resolve(logged),
          find: (number: number) => Promise.resolve(logged.find((record) => record.number === number)),
        },
        undo: {
          execute: (number: number) => {
            undone.push(number);
            return Promise.resolve({ counts: null, startedAt: 0, endedAt: 0, wasDone: false });
          },
        },
      } as unknown as ImportJobsDependencies,
      isShared,
    );
  };
  beforeEach(() => {
    folder = new MemoryFolder();
    undone = [];
    logged = [];
    isShared = false;
    jobs = make();
  });

  const stateOf = async (id: string) => (await jobs.find(id)).state;
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'done',
      (error: DomainError) => error.code as string,
    );
  /** Brings an import into a state. */
  const reach = async (state: ImportState): Promise<string> => {
    if (state === 'asking') importer.plans.push(() => ({ ...PLAN, questions: [QUESTION] }));
    const id = await jobs.begin('JFK', 'a.csv', CALLER);
    if (state === 'receiving') return id;
    await jobs.received(id, 10);
    await turns();
    if (state === 'asking' || state === 'ready') return id;
    await jobs.answer(id, CONFIRM);
    await turns();
    importer.follower?.numbered(7);
    if (state === 'writing') return id;
    await importer.end(
      state === 'failed' ? new DomainError('REQUEST_INVALID', 'No row was imported.') : undefined,
    );
    if (state === 'undone') {
      await jobs.undo(id, CALLER);
      await turns();
    }
    return id;
  };

  // For each state: whether an import may be answered, undone and given up, and whether another one may begin.
  for (const [state, answered, undo, discarded, next] of [
    ['receiving', 'IMPORT_STATE', 'IMPORT_STATE', 'done', 'IMPORT_RUNNING'],
    ['asking', 'done', 'IMPORT_STATE', 'done', 'IMPORT_RUNNING'],
    ['ready', 'done', 'IMPORT_STATE', 'done', 'IMPORT_RUNNING'],
    ['writing', 'IMPORT_STATE', 'done', 'IMPORT_STATE', 'IMPORT_RUNNING'],
    ['done', 'IMPORT_STATE', 'done', 'done', 'done'],
    ['failed', 'done', 'done', 'done', 'done'],
    ['undone', 'IMPORT_STATE', 'IMPORT_STATE', 'done', 'done'],
  ] as const) {
    it(`allow in the state ${state} only what fits this state`, async () => {
      const outcomes: string[] = [];
      for (const act of [
        (id: string) => jobs.answer(id, CONFIRM),
        (id: string) => jobs.undo(id, CALLER),
        (id: string) => jobs.discard(id),
        () => jobs.begin('JFK', 'b.csv', CALLER),
      ]) {
        folder = new MemoryFolder();
        jobs = make();
        const id = await reach(state);
        expect(await stateOf(id)).to.equal(state);
        outcomes.push(await codeOf(act(id)));
      }
      expect(outcomes).to.deep.equal([answered, undo, discarded, next]);
    });
  }

  it('write only what was confirmed after the last question, with the answers as options', async () => {
    const id = await reach('asking');
    const others = {
      'kind:Rain': ['amount', 'counter'],
      'date-order': ['DMY', 'MDY'],
      'day-stamp': ['begin'],
    };
    const questions = Object.entries(others).map(([key, choices]) => ({ ...QUESTION, key, choices }));
    importer.plans.push(() => ({ ...PLAN, questions: [QUESTION, ...questions] }));
    await jobs.answer(id, CONFIRM);
    await turns();
    expect([await stateOf(id), importer.writes]).to.deep.equal(['asking', 0]);
    const answers = { 'unit:wind': 'kt', 'kind:Rain': 'counter', 'date-order': 'MDY', 'day-stamp': 'begin' };
    await jobs.answer(id, { ...CONFIRM, answers });
    await turns();
    expect([await stateOf(id), importer.writes]).to.deep.equal(['writing', 1]);
    expect(importer.settings.at(-1)).to.deep.include({
      unit: ['wind=kt'],
      counter: ['Rain'],
      dateOrder: 'MDY',
      stampInterval: 86_400,
    });
  });

  it('continue after a restart in each state, and forget a file that did not arrive', async () => {
    for (const state of ['receiving', 'asking', 'ready', 'writing', 'done', 'failed', 'undone'] as const) {
      folder = new MemoryFolder();
      jobs = make();
      const id = await reach(state);
      await jobs.stop();
      const before = importer.writes;
      jobs = make();
      await jobs.start((error) => expect.fail(String(error)));
      if (state === 'asking') importer.plans.push(() => ({ ...PLAN, questions: [QUESTION] }));
      await turns();
      if (state === 'receiving') {
        expect(await codeOf(jobs.find(id))).to.equal('IMPORT_UNKNOWN');
        continue;
      }
      const { state: now, number } = await jobs.find(id);
      expect(now, state).to.equal(state === 'asking' ? 'ready' : state);
      expect(importer.writes, state).to.equal(state === 'writing' ? 1 : 0);
      expect(number, state).to.equal(before > 0 ? 7 : null);
    }
  });

  it('continue with the settings of an earlier version, which lack later ones', async () => {
    const id = await reach('ready');
    await jobs.stop();
    const { settings, ...record } = JSON.parse(folder.records.get(id) ?? '') as { settings: ImportSettings };
    const { where, ...earlier } = settings;
    expect(where).to.deep.equal([]);
    await folder.save(id, { ...record, settings: earlier });
    jobs = make();
    await jobs.start((error) => expect.fail(String(error)));
    await turns();
    expect([await stateOf(id), importer.settings.at(-1)?.where]).to.deep.equal(['ready', []]);
  });

  it('are removed an hour after the last action, but not while rows are written', async () => {
    for (const state of ['asking', 'ready', 'writing', 'done', 'failed', 'undone'] as const) {
      folder = new MemoryFolder();
      jobs = make();
      const id = await reach(state);
      clock.time += 3_599_999;
      await jobs.cleanUp();
      expect(await stateOf(id)).to.equal(state);
      clock.time += 1;
      await jobs.cleanUp();
      expect(await codeOf(jobs.find(id)), state).to.equal(state === 'writing' ? 'done' : 'IMPORT_UNKNOWN');
      expect([...folder.records.keys()]).to.deep.equal(state === 'writing' ? [id] : []);
    }
  });

  it('give up a file that has stopped to arrive without a report', async () => {
    const id = await reach('receiving');
    clock.time += 119_999;
    expect(await codeOf(jobs.begin('JFK', 'b.csv', CALLER))).to.equal('IMPORT_RUNNING');
    clock.time += 1;
    expect(await codeOf(jobs.begin('JFK', 'b.csv', CALLER))).to.equal('done');
    expect(await codeOf(jobs.received(id, 5))).to.equal('IMPORT_UNKNOWN');
  });

  it('stop the writing before it is undone, and undo nothing that was not written', async () => {
    const id = await reach('writing');
    await jobs.undo(id, CALLER);
    await turns();
    expect([await stateOf(id), undone]).to.deep.equal(['undone', [7]]);
    const other = await jobs.begin('JFK', 'b.csv', CALLER);
    await jobs.received(other, 1);
    await turns();
    await jobs.answer(other, CONFIRM);
    await turns();
    await jobs.undo(other, CALLER);
    expect([await stateOf(other), undone]).to.deep.equal(['undone', [7]]);
  });

  it('leave no work behind, whatever is asked while an import is planned, in each order', async () => {
    const acts = {
      answer: (id: string) => jobs.answer(id, { ...CONFIRM, answers: { 'unit:wind': 'kt' } }),
      confirm: (id: string) => jobs.answer(id, CONFIRM),
      discard: (id: string) => jobs.discard(id),
      undo: (id: string) => jobs.undo(id, CALLER),
    };
    const names = Object.keys(acts) as (keyof typeof acts)[];
    const orders = names.flatMap((a) => names.flatMap((b) => names.map((c) => [a, b, c])));
    for (const order of orders)
      for (const pause of [0, 1, 2, 3, 4]) {
        folder = new MemoryFolder();
        jobs = make();
        let endPlan: (plan: PlannedImport) => void = () => undefined;
        const planned = new Promise<PlannedImport>((resolve) => (endPlan = resolve));
        importer.plans.push(() => planned);
        const id = await jobs.begin('JFK', 'a.csv', CALLER);
        const received = jobs.received(id, 10);
        const outcomes: Promise<string>[] = [];
        for (const name of order) {
          outcomes.push(codeOf(acts[name](id)));
          for (let turn = 0; turn < pause; turn += 1) await Promise.resolve();
        }
        endPlan(PLAN);
        const codes = await Promise.all(outcomes);
        await received;
        await turns();
        const label = `${order.join()} after ${pause}: ${codes.join()}`;
        const isRemoved = codes.some((code, index) => code === 'done' && order[index] === 'discard');
        const state = await jobs.find(id).then(
          (job) => job.state,
          () => 'removed',
        );
        expect(state === 'removed', label).to.equal(isRemoved);
        expect(importer.active, label).to.equal(state === 'writing' ? 1 : 0);
        expect(folder.records.size, label).to.equal(isRemoved ? 0 : 1);
        expect(codes, label).not.to.include(undefined);
      }
  });

  it('refuse an answer that is no choice of a question, also after a restart, and change nothing', async () => {
    const id = await reach('asking');
    const answer = (key: string, value: string) =>
      jobs.answer(id, { ...CONFIRM, answers: { [key]: value } }).then(
        () => 'accepted',
        (error: DomainError) => error.message,
      );
    const assertRefused = async () => {
      expect(await answer('unit:wind', 'mph')).to.contain('must be one of these: m/s, kt.');
      for (const key of ['unit:rain', 'wind', '__proto__', 'toString', ''])
        expect(await answer(key, 'kt'), key).to.contain('has not asked');
    };
    await assertRefused();
    expect([await stateOf(id), (await jobs.find(id)).answers]).to.deep.equal(['asking', {}]);
    await jobs.answer(id, { ...CONFIRM, answers: { 'unit:wind': 'kt' }, isConfirmed: false });
    await turns();
    await jobs.stop();
    jobs = make();
    await jobs.start((error) => expect.fail(String(error)));
    await turns();
    // The plan does not ask any more, but the answer can still be corrected.
    await assertRefused();
    expect(await answer('unit:wind', 'm/s')).to.equal('accepted');
  });

  it('say of an import of the log whether it can be undone, alone as in the list', async () => {
    for (const isForgotten of [false, true])
      for (const endedAt of [null, 1])
        for (const undo of [null, { startedAt: 1, endedAt: null }, { startedAt: 1, endedAt: 1 }]) {
          logged = [
            { number: 7, file: 'a', stations: [], startedAt: 0, endedAt, isForgotten, undo } as never,
          ];
          const canUndo = !isForgotten && undo?.endedAt !== 1;
          const both = [(await jobs.list())[0], await jobs.find('7')].map((job) => job?.canUndo);
          expect(both, JSON.stringify(logged)).to.deep.equal([canUndo, canUndo]);
        }
  });

  it('tell the checked share of the rows after the import has ended', async () => {
    const id = await reach('writing');
    logged = [
      { number: 7, file: 'a', stations: [], startedAt: 0, endedAt: 1, undo: null, checked: 0.4 } as never,
    ];
    const shares = async (which: string) => [
      (await jobs.list()).map(({ checked }) => checked),
      (await jobs.find(which)).checked,
    ];
    expect(await shares(id)).to.deep.equal([[0.4], null]);
    await importer.end();
    expect(await shares(id)).to.deep.equal([[0.4], 0.4]);
    jobs = make();
    expect(await shares('7')).to.deep.equal([[0.4], 0.4]);
  });

  it('are looked for at another instance by their id, if there are others, and in the log by their number', async () => {
    logged = [
      {
        number: 7,
        file: 'a',
        stations: [],
        startedAt: 0,
        endedAt: 1,
        isForgotten: false,
        undo: null,
      },
    ];
    const uuid = '7c1f8a3e-53b2-4a40-9d0f-3a1f52f0f2aa';
    for (isShared of [false, true]) {
      jobs = make();
      for (const [id, expected] of [
        [uuid, isShared ? 'IMPORT_ELSEWHERE' : 'IMPORT_UNKNOWN'],
        ['8', 'IMPORT_UNKNOWN'],
        ['x', 'IMPORT_UNKNOWN'],
      ] as const)
        for (const request of [jobs.find(id), jobs.answer(id, CONFIRM), jobs.undo(id, CALLER)])
          expect(await codeOf(request), id).to.equal(expected);
      expect(await stateOf('7')).to.equal('done');
      expect((await jobs.undo('7', CALLER)).number).to.equal(7);
    }
  });

  it('begin no work after the stop of the service, also for a request that waited for it', async () => {
    const id = await reach('writing');
    const undoing = codeOf(jobs.undo(id, CALLER));
    await jobs.stop();
    expect(await undoing).to.equal('SERVICE_UNAVAILABLE');
    expect(undone).to.deep.equal([]);
  });

  it('keep each rejection of the stored rows once, whenever the service is killed', async () => {
    const reject = (file: string, ...lines: number[]) => {
      for (const line of lines)
        importer.follower?.rejected({ file, line, column: null, problem: 'x', reasons: [] });
    };
    const id = await reach('writing');
    importer.follower?.begins('a', 0);
    reject('a', 2, 9);
    await importer.follower?.flush();
    reject('a', 12);
    jobs = make();
    await jobs.start((error) => expect.fail(String(error)));
    await turns();
    importer.follower?.begins('a', 5);
    reject('a', 9, 12);
    importer.follower?.begins('b', 0);
    reject('b', 1);
    await importer.end();
    const { rejections, continuedAfter } = await jobs.find(id);
    expect(rejections.map(({ file, line }) => `${file}${line}`)).to.deep.equal(['a2', 'a9', 'a12', 'b1']);
    expect(continuedAfter).to.equal(5);
  });

  it('show the file of an import of the command line without its folders', async () => {
    for (const path of ['/home/ann/data/a.csv', 'data/a.csv', 'C:\\data\\a.csv', './a.csv', 'a.csv']) {
      logged = [{ number: 7, file: path, stations: [], startedAt: 0, endedAt: 1, undo: null }];
      const [listed] = await jobs.list();
      expect([listed?.file, (await jobs.find('7')).file], path).to.deep.equal(['a.csv', 'a.csv']);
    }
  });

  it('keep the first 1,000 rejections, and no text of an unexpected error', async () => {
    const failures: unknown[] = [];
    await jobs.start((error) => failures.push(error));
    const id = await reach('writing');
    for (let line = 1; line <= 1100; line += 1)
      importer.follower?.rejected({ file: null, line, column: null, problem: 'x', reasons: [] });
    await importer.end(new Error(`open ${fileURLToPath(import.meta.url)}`));
    const { state, rejections, problem } = await jobs.find(id);
    expect([state, rejections.length, rejections.at(-1)?.line]).to.deep.equal(['failed', 1000, 1000]);
    expect(problem?.code).to.equal('INTERNAL_ERROR');
    expect(problem?.message).not.to.contain('import-jobs');
    expect(failures).to.have.length(1);
  });
});

describe('importFileName', () => {
  it('never is a path, hidden, empty or longer than a file system allows', () => {
    const parts = [
      '/',
      '\\',
      '..',
      '.',
      '\0',
      '\n',
      '<b>',
      'é',
      '🌧',
      'a.csv',
      ' ',
      "'",
      '"',
      '%2f',
      '\u202e',
    ];
    for (const a of parts)
      for (const b of parts)
        for (const c of [...parts, 'x'.repeat(300)]) {
          const name = importFileName(a + b + c);
          expect(name, JSON.stringify(a + b + c)).to.match(
            /^[\p{L}\p{M}\p{N}_()+,-][\p{L}\p{M}\p{N} ._()+,-]*$/u,
          );
          expect(Buffer.byteLength(name)).to.be.at.most(240);
        }
  });
});
