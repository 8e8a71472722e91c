import { WUNDERGROUND_FIELDS } from '#adapters/uploads/dialects/wunderground.js';
import type { SentWeather, TargetReply, TargetSettings } from '#application/ports/target-kind.js';
import { TargetFailure } from '#domain/hooks/target-failure.js';
import { assertNoPage } from './no-page.js';
import { writeFields, writeRain } from './written-fields.js';

type Field = readonly [name: string, text: string];

/** A line of text by which a service refuses an upload although the status of its reply is 200. */
const REFUSAL = /^ERROR|invalid/im;
/** PWSWeather has put its answer to an accepted upload into a page. */
const LOGGED = /\bData Logged\b/i;

/** The fields before the values: account, secret, time and software. @param names of the fields with the account and the secret */
export function headFields(
  { account = '', secret = '' }: TargetSettings,
  { time }: SentWeather,
  names: { readonly account: string; readonly secret: string },
): readonly Field[] {
  return [
    [names.account, account],
    [names.secret, secret],
    // The time in UTC without milliseconds: 2026-01-31 12:00:00.
    ['dateutc', new Date(time).toISOString().slice(0, 19).replace('T', ' ')],
    ['action', 'updateraw'],
    ['softwaretype', 'weatherd'],
  ];
}

/** The values as fields of the protocol of Weather Underground, in imperial units. */
export function valueFields({ values, rain }: SentWeather): readonly Field[] {
  return [
    ...writeFields(values, WUNDERGROUND_FIELDS),
    ...writeRain('rainin', rain.hour),
    ...writeRain('dailyrainin', rain.day),
  ];
}

/** @param title name of the service for people @throws TargetFailure if the reply refuses the upload, or is another page */
export function assertAccepted(title: string, reply: TargetReply): void {
  const { text } = reply;
  if (REFUSAL.test(text)) throw new TargetFailure('The weather service refused the upload.', { reply: text });
  if (!LOGGED.test(text)) assertNoPage(title, reply);
}
