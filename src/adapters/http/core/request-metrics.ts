import type { Counter, Histogram, Telemetry } from '#application/ports/telemetry.js';

/**
 * Upper bounds of the durations in the histogram, in seconds. A reply without I/O takes much less than the first bound. A reply
 * with a year of rows takes up to some seconds.
 */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The methods that have a label of their own. All other methods share the label `other`, because clients may send any method. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

/** A request that has ended. */
interface Counted {
  readonly method: string;
  /** The declared path; null if no route matched. */
  readonly route: string | null;
  /** Null if the client disconnected before a status was sent. */
  readonly status: number | null;
  /** Time from the end of the request's headers to the end of the reply. */
  readonly milliseconds: number;
}

interface Series {
  readonly duration: Histogram;
  readonly byStatus: Map<number | null, Counter>;
}

/** Counts the requests of all listeners, and measures their duration. */
export class RequestMetrics {
  readonly #requests;
  readonly #durations;

  constructor(telemetry: Telemetry) {
    this.#requests = telemetry.counter({
      name: 'weatherd_http_requests_total',
      help: 'Requests that have ended.',
      labels: ['api', 'route', 'method', 'code'],
    });
    this.#durations = telemetry.histogram(
      {
        name: 'weatherd_http_request_duration_seconds',
        help: 'Time from the head of a request to the end of its reply.',
        labels: ['api', 'route', 'method'],
      },
      BOUNDS,
    );
  }

  /**
   * @param api name of the listener
   * @returns the function that counts a request
   */
  of(api: string): (request: Counted) => void {
    /** The metrics that have been created so far: by route, and for each route by method. */
    const known = new Map<string | null, Map<string, Series>>();
    const seriesOf = (path: string | null, sent: string): Series => {
      const route = path ?? 'none';
      const method = METHODS.has(sent) ? sent : 'other';
      const ofRoute = known.get(path) ?? new Map<string, Series>();
      known.set(path, ofRoute);
      const series = ofRoute.get(method) ?? {
        duration: this.#durations({ api, route, method }),
        byStatus: new Map(),
      };
      ofRoute.set(method, series);
      return series;
    };
    return ({ route, method, status, milliseconds }) => {
      const { duration, byStatus } = known.get(route)?.get(method) ?? seriesOf(route, method);
      duration.observe(milliseconds / 1000);
      let count = byStatus.get(status);
      if (count === undefined) {
        const code = status === null ? 'none' : String(status);
        const name = METHODS.has(method) ? method : 'other';
        count = this.#requests({ api, route: route ?? 'none', method: name, code });
        byStatus.set(status, count);
      }
      count.add(1);
    };
  }
}
