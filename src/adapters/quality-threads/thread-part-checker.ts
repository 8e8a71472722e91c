import { setTimeout as wait } from 'node:timers/promises';
import { LazyThreads } from '#adapters/formats/lazy-threads.js';
import { transferableBuffers } from '#adapters/formats/transferable-buffers.js';
import type { NoticeFinder } from '#application/ports/notice-finder.js';
import type { PartChecker } from '#application/ports/part-checker.js';
import { isDomainError } from '#domain/domain-error.js';
import { MILLISECONDS } from '#domain/time.js';
import { checkPart, type PartToCheck } from '#domain/weather/quality/check-part.js';
import { findNotices, type NoticeSearch } from '#domain/weather/quality/notices/find-notices.js';
import type { Notice } from '#domain/weather/quality/notices/notice.js';
import { EMPTY_SERIES, type Series } from '#domain/weather/series.js';

const MODULE = new URL('./check-worker.js', import.meta.url).href;
/** Milliseconds after which the idle thread ends. A service with new rows has a round of checks every 30 seconds. */
const IDLE_TIMEOUT = 45_000;
/** Milliseconds after which a check that has not ended is stopped. A part takes a few seconds on a slow machine. */
const CHECK_TIMEOUT = 10 * MILLISECONDS.minute;
/** Milliseconds for which parts are checked without a thread after no thread could start. */
const WITHOUT_THREAD = 10 * MILLISECONDS.minute;
/** Milliseconds between a failure of a thread and the test whether another thread can start. */
const REPLACEMENT_TIME = 100;

const PROBE: PartToCheck = {
  station: {
    number: 0,
    id: 'probe',
    name: '',
    latitude: 0,
    longitude: 0,
    elevation: null,
    timeZone: 'UTC',
    reportingInterval: null,
    identifiers: {},
    limits: {},
  },
  range: { from: 0, to: 0 },
  stored: [EMPTY_SERIES],
  neighbors: [],
  overrides: [],
};

/**
 * Checks parts and finds notices in a thread of low priority, so that neither the event loop nor a request waits for a check. The thread starts
 * with the first part. If no thread can start, parts are checked in the calling thread, which delays requests, but quality
 * control goes on.
 */
export class ThreadPartChecker implements PartChecker, NoticeFinder {
  readonly #threads: LazyThreads;
  /** `performance.now()` until which parts are checked without a thread. */
  #withoutThreadUntil = -Infinity;
  /** Whether a thread has done a task. Until then, columns are copied, so that the task can be done without a thread too. */
  #hasWorked = false;

  /** @param filename URL of the module of the thread */
  constructor(filename = MODULE) {
    this.#threads = new LazyThreads({ filename, maxThreads: 1, idleTimeout: IDLE_TIMEOUT, probe: PROBE });
  }

  async check(part: PartToCheck): Promise<Series | undefined> {
    return await this.#run(checkPart, part, part.stored.flatMap(columnsOf));
  }

  async findNotices(search: NoticeSearch): Promise<readonly Notice[]> {
    return await this.#run(findNotices, search, [...search.input.own.columns.values()]);
  }

  /**
   * @param work does in the calling thread what the module of the thread does with the same task
   * @param moved columns of the task that are moved to the thread
   */
  async #run<Task, Result>(
    work: (task: Task) => Result,
    task: Task,
    moved: readonly (Float64Array | Uint8Array)[],
  ): Promise<Result> {
    if (this.#isWithoutThread()) return work(task);
    const transferList = this.#hasWorked ? transferableBuffers(moved) : [];
    const signal = AbortSignal.timeout(CHECK_TIMEOUT);
    try {
      const result = (await this.#threads.run(task, { transferList, signal })) as Result;
      this.#hasWorked = true;
      return result;
    } catch (error) {
      if (!isDomainError(error, 'SERVICE_UNAVAILABLE')) throw error;
      this.#hasWorked = false;
      await this.#testThreads();
      if (transferList.length === 0 && this.#isWithoutThread()) return work(task);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#threads.close();
  }

  #isWithoutThread(): boolean {
    return performance.now() < this.#withoutThreadUntil;
  }

  /** A thread has failed: finds out whether another one can start. */
  async #testThreads(): Promise<void> {
    await wait(REPLACEMENT_TIME);
    try {
      await this.#threads.check();
    } catch {
      this.#withoutThreadUntil = performance.now() + WITHOUT_THREAD;
    }
  }
}

function columnsOf({ times, values, flags }: Series): readonly (Float64Array | Uint8Array)[] {
  return [times, ...values.values(), ...flags.values()];
}
