import type { Check } from '#application/ports/check.js';
import { hostUrls } from './location.js';
import type { Query } from './query.js';
import { Replica, type ReplicaState } from './replica.js';
import type { WalPosition } from './wal-position.js';

/**
 * Streaming replicas that answer reads. An instance chooses one replica at random, and uses it until the replica fails or falls
 * behind. Successive reads therefore never go back in time, and need not wait for another replica to catch up.
 */
export class Replicas implements Check {
  readonly name = 'read replicas';
  readonly #replicas: readonly Replica[];
  readonly #position: WalPosition;

  /**

   * @param url URL with one or several hosts
   * @param onBreak called when a connection breaks
   */
  constructor(url: string, position: WalPosition, onBreak: () => void) {
    const replicas = hostUrls(url).map((one) => new Replica(one, position, onBreak));
    const first = Math.floor(Math.random() * replicas.length);
    this.#replicas = [...replicas.slice(first), ...replicas.slice(0, first)];
    this.#position = position;
  }

  /**
   * Reads from one snapshot that includes all writes that this instance has acknowledged.
   *
   * @returns undefined if the primary must answer
   */
  async read<T>(work: (query: Query) => Promise<T>): Promise<{ readonly value: T } | undefined> {
    const { required } = this.#position;
    if (required === undefined) return undefined;
    const ready = this.#replicas.find((replica) => {
      if (replica.state !== 'ready') replica.probe(required);
      return replica.state === 'ready';
    });
    return await ready?.read(required, work);
  }

  /**
   * Returns a description of the replicas that cannot answer reads; undefined if there are none. The description uses the last
   * known states. All replicas are queried again in the background, so that this check does not wait for a replica that hangs.
   *
   * After a failover one of the hosts may be the primary. This is reported only if no other host is a ready replica.
   */
  async check(): Promise<string | undefined> {
    for (const replica of this.#replicas) replica.probe(this.#position.required ?? 0);
    const count = (state: ReplicaState) => this.#replicas.filter((replica) => replica.state === state).length;
    const all = this.#replicas.length;
    const defects: readonly (readonly [number, string])[] = [
      [count('away'), 'cannot be reached'],
      [count('behind'), 'behind the primary'],
      [count('ready') === 0 ? count('primary') : 0, 'not a replica'],
    ];
    const found = defects.flatMap(([some, what]) => (some > 0 ? [`${some} of ${all} ${what}`] : []));
    return found.length === 0 ? undefined : `Replicas for reads: ${found.join(', ')}.`;
  }

  async end(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.end()));
  }
}
