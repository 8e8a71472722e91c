import { backOff } from '#application/back-off.js';
import { pauseFor } from '#application/pause.js';
import type { Clock } from '#application/ports/clock.js';
import type { ConnectionEnd, ProtocolVersion } from './broker-connection.js';
import { MAX_RETRY_DELAY } from './deliveries.js';

export interface ReconnectingParts {
  readonly clock: Clock;
  /** Waits for some milliseconds. Ends early, without an error, if the signal aborts. */
  readonly wait?: typeof pauseFor;
}

/** Connects to a broker again whenever the connection has ended, with growing delays and in the version that the broker knows. */
export class Reconnecting {
  readonly #parts: ReconnectingParts;
  readonly #connect: (version: ProtocolVersion) => Promise<ConnectionEnd>;
  /** The protocol version of the next attempt: 5, or 4 if the broker has refused version 5. */
  #version: ProtocolVersion = 5;
  /** The reason why there is no connection, as a sentence; undefined if there is one. `connected` removes it. */
  #fault: string | undefined;

  /** @param connect makes one connection, and resolves when it has ended */
  constructor(parts: ReconnectingParts, connect: (version: ProtocolVersion) => Promise<ConnectionEnd>) {
    this.#parts = parts;
    this.#connect = connect;
  }

  get fault(): string | undefined {
    return this.#fault;
  }

  /** Called when a connection can be used. */
  connected(): void {
    this.#fault = undefined;
  }

  /** Connects until the signal aborts. Resolves when the last connection has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, wait = pauseFor } = this.#parts;
    let failures = 0;
    while (!signal.aborted) {
      const startedAt = clock.uptime();
      const { reason, mayNeedOtherVersion } = await this.#connect(this.#version);
      if (signal.aborted) return;
      const isFirst = failures === 0 && this.#version === 5;
      if (mayNeedOtherVersion) this.#version = this.#version === 5 ? 4 : 5;
      // An old broker that refuses version 5 is not a fault: version 4 is tried at once. A broker that refuses both versions is a
      // fault.
      if (mayNeedOtherVersion && isFirst) continue;
      this.#fault = `The MQTT broker is not connected: ${reason}`;
      // An attempt that lasted longer than a minute (`MAX_RETRY_DELAY`) starts a new count of failures at 1. A shorter attempt
      // counts as a further failure.
      failures = clock.uptime() - startedAt > MAX_RETRY_DELAY ? 1 : failures + 1;
      await wait(backOff(failures, MAX_RETRY_DELAY), signal);
    }
  }
}

/** A sentence about the refused subscriptions; undefined if none was refused. @param refused topic filters */
export function describeRefused(refused: readonly string[]): string | undefined {
  if (refused.length === 0) return undefined;
  return `The MQTT broker refuses ${refused.length} subscription(s): ${refused.join(', ').slice(0, 200)}.`;
}
