import pg from 'pg';
import sinon from 'sinon';

/** Records the round trips to PostgreSQL of this process, until `end` is called. */
export class RoundTrips {
  readonly #trips: string[][] = [];
  readonly #waiting = new Map<unknown, number>();
  readonly #query = sinon.stub(pg.Client.prototype, 'query');

  constructor() {
    const record = (client: unknown, text: string) => this.#record(client, text);
    const answered = (client: unknown) => this.#waiting.set(client, (this.#waiting.get(client) ?? 0) - 1);
    const { wrappedMethod } = this.#query as unknown as {
      wrappedMethod: (this: pg.Client, config: pg.QueryConfig) => Promise<unknown>;
    };
    const send = function (this: pg.Client, config: pg.QueryConfig): unknown {
      record(this, config.text);
      const answer = wrappedMethod.call(this, config);
      void answer.catch(() => undefined).then(() => answered(this));
      return answer;
    };
    this.#query.callsFake(send as never);
  }

  /** Stops recording. @returns the statements of each round trip */
  end(): readonly (readonly string[])[] {
    this.#query.restore();
    return this.#trips;
  }

  #record(client: unknown, text: string): void {
    const waiting = this.#waiting.get(client) ?? 0;
    this.#waiting.set(client, waiting + 1);
    if (waiting === 0) this.#trips.push([]);
    this.#trips.at(-1)?.push(text);
  }
}
