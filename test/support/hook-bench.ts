import { toForecastFields } from '#adapters/http/external/forecast/forecast-reply.js';
import { ForecastOrders } from '#application/forecast/forecast-orders.js';
import { GetForecast } from '#application/forecast/read/get-forecast.js';
import { AddHook } from '#application/hooks/manage/add-hook.js';
import { Dispatcher } from '#application/hooks/dispatcher.js';
import type { DeliveryQueueParts, DispatchNotice } from '#application/hooks/delivery-queue.js';
import { RunHooks } from '#application/hooks/run-hooks.js';
import type { DeliveryOutcome } from '#application/ports/delivery.js';
import type { Lease } from '#application/ports/lease.js';
import { TargetKinds } from '#application/hooks/target-kinds.js';
import { ReadSums } from '#application/observations/read/current/read-sums.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import * as tokens from '#composition/graph/tokens.js';
import { MILLISECONDS } from '#domain/time.js';
import { V } from '#domain/weather/variables.js';
import { OwnLease } from '../application/fakes/fakes.js';
import { record } from './weather-world.js';
import { CALLER, type World } from './world.js';

/** The message that a target receives for a row. That of a forecast has `issued`, and not the fields of a row. */
export interface ReceivedMessage {
  readonly id: string;
  readonly event: string;
  readonly issued?: string;
  readonly hook: string;
  readonly station: string;
  readonly time: string;
  readonly late: boolean;
  readonly values: Readonly<Record<string, number>>;
  readonly verdicts: Readonly<Record<string, string>>;
}

/** Waits for the next turn of the event loop. */
export const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/**
 * Sends the messages of the hooks of a `World`, which has all use-cases on stores in memory, and receives them in place of the
 * targets.
 */
export class HookBench {
  readonly world: World;
  readonly received: ReceivedMessage[] = [];
  readonly notices: DispatchNotice[] = [];
  answer: (received: ReceivedMessage) => DeliveryOutcome | Promise<DeliveryOutcome> = () => 'delivered';
  /** Waits between two attempts to send. The time is skipped unless a test replaces this function. */
  wait: NonNullable<DeliveryQueueParts['wait']> = async () => void (await nextTurn());
  #dispatcher: Dispatcher | undefined;
  #hooks: RunHooks | undefined;

  constructor(world: World) {
    this.world = world;
  }

  async add(name: string, stations: readonly string[] | null = null, forecasts = false): Promise<void> {
    const target = { kind: 'post', url: `https://${name}.test/`, allowPrivate: false } as const;
    await this.world.get(AddHook).execute({ name, target, stations, forecasts }, CALLER, true);
  }

  /** Starts the sender of hooks, as each process of the service does. */
  async start(lease: Lease = new OwnLease()): Promise<void> {
    const { world } = this;
    const delivery = {
      send: async (_target: unknown, { body }: { body: string }): Promise<DeliveryOutcome> => {
        const received = JSON.parse(body) as ReceivedMessage;
        const outcome = await this.answer(received);
        if (outcome === 'delivered') this.received.push(received);
        return outcome;
      },
    };
    this.#dispatcher = new Dispatcher({
      clock: world.clock,
      delivery,
      onNotice: (notice) => void this.notices.push(notice),
      wait: this.wait,
    });
    this.#hooks = new RunHooks({
      clock: world.clock,
      store: world.stores.hooks,
      announcer: world.get(tokens.Announcer),
      directory: world.get(StationDirectory),
      observations: world.stores.observations,
      sums: world.get(ReadSums),
      kinds: world.get(TargetKinds),
      orders: world.get(ForecastOrders),
      forecasts: world.get(GetForecast),
      forecastFields: (forecast) => toForecastFields(forecast, { units: 'metric' }),
      dispatcher: this.#dispatcher,
      lease,
    });
    await this.#hooks.execute();
  }

  /** Runs the sender of hooks once, as the service does every 2 s. */
  async round(): Promise<void> {
    await this.#hooks?.execute();
  }

  /** The hooks whose targets fail, according to the sender of hooks. */
  get failing(): RunHooks['failing'] {
    return this.#hooks?.failing ?? [];
  }

  /** Number of stations whose rows wait for the target, by name of the hook. */
  get waiting(): object {
    return Object.fromEntries(this.#hooks?.waiting ?? []);
  }

  /** Stops the sender in the same way as the service does when it shuts down. */
  async stop(): Promise<void> {
    await this.#hooks?.close();
    this.#hooks = undefined;
    await this.#dispatcher?.closeAll();
  }

  /** Stops the sender like a killed process: the sender stores nothing more. */
  async kill(): Promise<void> {
    this.#hooks = undefined;
    await this.#dispatcher?.closeAll();
  }

  /** Writes rows at intervals of one minute. The fake clock moves with the rows, so the last row has the current time. */
  async write(station: string, count = 1, values: readonly number[] = []): Promise<void> {
    for (let row = 0; row < count; row += 1) {
      this.world.clock.time += MILLISECONDS.minute;
      this.world.clock.up += MILLISECONDS.minute;
      const time = new Date(this.world.clock.time).toISOString();
      await record(this.world, time, { air_temperature: [values[row] ?? 10] }, station);
    }
  }

  /** Writes an air temperature without notifying the sender, as a command in another process does. */
  async writeUnannounced(station: string, time: number, value: number): Promise<void> {
    const { byId } = await this.world.get(StationDirectory).current();
    const batch = {
      stations: Uint32Array.of(byId.get(station)?.number as number),
      times: Float64Array.of(time),
      values: new Map([[V.temperature, Float64Array.of(value)]]),
      flags: new Map(),
    };
    await this.world.stores.observations.write([{ batch }]);
  }

  /** Waits until the target has received this number of messages. */
  async until(count: number): Promise<void> {
    while (this.received.length < count) await nextTurn();
  }

  get times(): string[] {
    return this.received.map(({ time }) => time.slice(11, 16));
  }
}
