import type { Lease } from '#application/ports/lease.js';
import type { SourceDevice, SourceKind } from '#application/ports/source-kind.js';
import type { Stores } from '#application/ports/stores.js';
import { RunSources } from '#application/sources/run-sources.js';
import * as tokens from '#composition/graph/tokens.js';
import { moduleOf } from '#composition/graph/wiring.js';
import { sourceAsker } from '#composition/sources/asked-sources.js';
import { OwnLease } from '../application/fakes/fakes.js';
import { World } from './world.js';

/** The stores that the sources write. */
const WRITTEN = ['storedRecords', 'observations'] as const;

/**
 * The life of a simulated process. Its steps are writes of the stores and exchanges with devices, each with a beginning and an end. A
 * process that is killed at a step does nothing from then on, and does not learn what became of its last call.
 */
export class Life {
  /** Number of steps so far. */
  steps = 0;
  #killedAt: number;
  #kill = () => {};
  /** Resolves when the process is killed. */
  readonly killed = new Promise<'killed'>((resolve) => {
    this.#kill = () => resolve('killed');
  });

  /** @param killedAt number of steps after which the process is killed */
  constructor(killedAt = Infinity) {
    this.#killedAt = killedAt;
  }

  /** Kills the process now. */
  kill(): void {
    this.#killedAt = this.steps;
    this.#kill();
  }

  get isOver(): boolean {
    return this.steps >= this.#killedAt;
  }

  async run<T>(call: () => Promise<T>): Promise<T> {
    await this.#step();
    const result = await call();
    await this.#step();
    return result;
  }

  async #step(): Promise<void> {
    this.steps += 1;
    if (!this.isOver) return;
    this.#kill();
    await new Promise(() => undefined);
  }
}

/** A process that asks sources, wired as the service, with real sockets. Several processes may share stores. */
export class SourcesInstance {
  readonly world: World;
  readonly life: Life;
  readonly #run: RunSources;
  /** Number of datagrams that were received, of exchanges with devices, and of rounds that have begun. */
  datagrams = 0;
  asked = 0;
  rounds = 0;

  private constructor(world: World, life: Life) {
    this.world = world;
    this.life = life;
    this.#run = world.get(RunSources);
  }

  /** @param lease by default one that nobody else takes */
  static async start(
    stores: Stores,
    kinds: readonly SourceKind[],
    { life = new Life(), lease }: { readonly life?: Life; readonly lease?: (world: World) => Lease } = {},
  ): Promise<SourcesInstance> {
    const mortal = Object.fromEntries(WRITTEN.map((name) => [name, mortalStore(stores[name], life)]));
    const world = await World.make({}, { ...stores, ...mortal });
    const own = new OwnLease();
    world.container.bind(tokens.Leases).toConstantValue(() => lease?.(world) ?? own);
    world.container.load(moduleOf(sourceAsker()));
    const instance = new SourcesInstance(world, life);
    world.sourceKinds.push(...kinds.map((kind) => instance.#mortal(kind)));
    return instance;
  }

  /** Sets its clock. */
  setTime(time: number): void {
    const { clock } = this.world;
    if (this.rounds > 0) clock.up += time - clock.time;
    clock.time = time;
  }

  /** Runs a round. Does nothing if the process was killed, and ends when it is killed. */
  async round(): Promise<void> {
    if (this.life.isOver) return;
    this.rounds += 1;
    const work = async () => {
      await this.#run.execute();
      await this.#run.idle();
    };
    await Promise.race([work(), this.life.killed]);
  }

  /** A kind that counts what it asks and hears, as long as the process lives. */
  #mortal(kind: SourceKind): SourceKind {
    const { life } = this;
    const ask = <T>(exchange: () => Promise<T>) => {
      this.asked += 1;
      return life.run(exchange);
    };
    const mortal = (device: SourceDevice): SourceDevice => ({
      ...device,
      fetch: (request) => ask(() => device.fetch(request)),
      exchange: (...parameters) => ask(() => device.exchange(...parameters)),
    });
    const { datagrams } = kind;
    return {
      ...kind,
      ...(kind.ask && { ask: async (device, span) => (await kind.ask?.(mortal(device), span)) ?? [] }),
      ...(datagrams && {
        datagrams: {
          ...datagrams,
          decode: (...parameters) => {
            this.datagrams += 1;
            return life.isOver ? [] : datagrams.decode(...parameters);
          },
        },
      }),
    };
  }

  /** Ends the process in order. */
  async close(): Promise<void> {
    await Promise.race([this.#run.close(), this.life.killed]);
  }
}

function mortalStore<T extends object>(store: T, life: Life): T {
  return new Proxy(store, {
    get: (target, name) => {
      const member = Reflect.get(target, name) as unknown;
      if (typeof member !== 'function') return member;
      return (...parameters: unknown[]) => {
        const call = () => member.call(target, ...parameters) as unknown;
        // What changes nothing is no step.
        return name === 'put' || name === 'write' ? life.run(async () => await call()) : call();
      };
    },
  });
}
