import type { DeliveryOutcome, Message } from '#application/ports/delivery.js';
import type { UploadProtocol, UploadTarget } from '#domain/hooks/hook-target.js';
import { quoted } from '#domain/quoted.js';
import { WUNDERGROUND_FIELDS } from '../dialects/wunderground.js';
import { writeFields, writeRain } from './written-fields.js';

/** Sends a request over HTTP. */
export interface Requests {
  deliver(
    outgoing: {
      readonly method: 'GET' | 'POST';
      readonly url: URL;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly allowPrivate: boolean;
    },
    signal: AbortSignal,
  ): Promise<{ readonly outcome: DeliveryOutcome; readonly text: string }>;
}

interface Service {
  readonly url: string;
  /** Name of the field with the account. `key` is the name of the field with the key of the account. */
  readonly account: string;
  readonly key: string;
  /** The format of the fields. */
  readonly form: 'query' | 'json';
}

const SERVICES: Readonly<Record<UploadProtocol, Service>> = {
  wunderground: {
    url: 'https://weatherstation.wunderground.com/weatherstation/updateweatherstation.php',
    account: 'ID',
    key: 'PASSWORD',
    form: 'query',
  },
  pwsweather: {
    url: 'https://www.pwsweather.com/pwsupdate/pwsupdate.php',
    account: 'ID',
    key: 'PASSWORD',
    form: 'query',
  },
  'wow-be': {
    url: 'https://wow.meteo.be/api/v2/send/wow',
    account: 'siteid',
    key: 'siteAuthenticationKey',
    form: 'json',
  },
};

/** A line of text by which a weather service refuses an upload although the status of its reply is 200. */
const REFUSAL = /^ERROR|invalid/im;

/**
 * The message about a row, which has the values of a station at one time. Only the fields that an upload to a weather service
 * sends are declared here.
 */
interface SentRow {
  readonly time: string;
  readonly values: Readonly<Record<string, number>>;
  /** Sums of the last hour and of the day, in mm. */
  readonly rain?: { readonly hour: number | null; readonly day: number | null };
}

/**
 * Sends rows to weather services. A row has the values of a station at one time. The protocols are some of those in which this
 * service itself receives uploads.
 */
export class UploadDelivery {
  readonly #requests: Requests;

  constructor(requests: Requests) {
    this.#requests = requests;
  }

  async send(target: UploadTarget, { body }: Message, signal: AbortSignal): Promise<DeliveryOutcome> {
    const service = SERVICES[target.protocol];
    const url = new URL(target.url ?? service.url);
    const { time, values, rain } = JSON.parse(body) as SentRow;
    const head = headOf(target, service, time);
    const readings = [
      ...writeFields(values, WUNDERGROUND_FIELDS),
      ...writeRain('rainin', rain?.hour),
      ...writeRain('dailyrainin', rain?.day),
    ];
    const { allowPrivate } = target;
    if (service.form === 'query') {
      for (const [name, text] of [...head, ...readings]) url.searchParams.append(name, text);
      return outcomeOf(await this.#requests.deliver({ method: 'GET', url, allowPrivate }, signal), target);
    }
    const numbers = readings.map(([name, text]) => [name, Number(text)] as const);
    const outgoing = {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Object.fromEntries<string | number>([...head, ...numbers])),
      allowPrivate,
    } as const;
    return outcomeOf(await this.#requests.deliver(outgoing, signal), target);
  }
}

/** The fields before the values: account, key, time and software. */
function headOf(target: UploadTarget, service: Service, time: string): [field: string, text: string][] {
  return [
    [service.account, target.account],
    [service.key, target.key],
    // The time in UTC without milliseconds: 2026-01-31 12:00:00.
    ['dateutc', time.slice(0, 19).replace('T', ' ')],
    ['action', 'updateraw'],
    ['softwaretype', 'weatherd'],
  ];
}

function outcomeOf(
  { outcome, text }: { outcome: DeliveryOutcome; text: string },
  { key }: UploadTarget,
): DeliveryOutcome {
  if (outcome !== 'delivered' || !REFUSAL.test(text)) return outcome;
  // The key is removed, because some services repeat the request in their reply.
  const reply = [key, encodeURIComponent(key)].reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
  return { failed: `The weather service refused the upload: ${quoted(reply.trim())}.` };
}
