import { MILLISECONDS } from '#domain/time.js';
import type { Newest, Reply } from '../../api.js';

export type UploadStatus = Reply<'/v1/uploads', 'get'>['uploads'][number];
export type Sender = Reply<'/v1/uploads/pending', 'get'>['pending'][number];

/** An upload key whose first upload a person waits for. */
export interface WatchedKey {
  readonly number: number;
  /** The time in ms since which the secret exists. */
  readonly since: number;
}

/**
 * State of the light.
 *
 * - `waiting`: nothing was heard with the key.
 * - `refused`: the last upload with the key was refused.
 * - `arrived`: a value of the station has arrived, but the rights to see its sender have expired.
 * - `connected`: an upload with the key was accepted.
 */
export type LightState = 'waiting' | 'refused' | 'arrived' | 'connected';

export interface Light {
  readonly state: LightState;
  /** The time in ms of the upload, or of the newest value. */
  readonly at?: number;
  /** Why the upload was refused. */
  readonly reason?: string;
}

/**
 * Computes the light.
 *
 * @param status the status of the key; undefined if the rights to read it have expired
 * @param newest the newest values of the station
 */
export function lightOf(
  { since }: WatchedKey,
  status: UploadStatus | undefined,
  newest: Newest | undefined,
): Light {
  if (status === undefined) {
    const at = timeOfNewest(newest);
    return at >= since ? { state: 'arrived', at } : { state: 'waiting' };
  }
  // The console still sends the secret that the new one has replaced.
  if (status.uses_previous) return { state: 'waiting' };
  const success = timeOf(status.last_success);
  if (success >= since) return { state: 'connected', at: success };
  // A script that writes over the API has no last success.
  const written = timeOfNewest(newest);
  if (status.dialect === 'api' && timeOf(status.last_push) >= since && written >= since)
    return { state: 'connected', at: written };
  const failure = timeOf(status.last_error?.time ?? null);
  if (failure < since) return { state: 'waiting' };
  return { state: 'refused', at: failure, reason: status.last_error?.reason ?? '' };
}

/** The light of a key in a list, which nobody waits for. */
export function lightOfStatus(status: UploadStatus): Light {
  // A script that writes over the API has no last success.
  const success = status.dialect === 'api' ? status.last_push : status.last_success;
  const shown = { ...status, uses_previous: false, last_success: success };
  const light = lightOf({ number: status.key, since: 0 }, shown, undefined);
  const failure = timeOf(status.last_error?.time ?? null);
  if (light.state !== 'connected' || failure <= (light.at ?? 0)) return light;
  return { state: 'refused', at: failure, reason: status.last_error?.reason ?? '' };
}

/** Values within this time in ms before an upload belong to it: programs send values of intervals that have ended. */
const BEFORE_UPLOAD = 15 * MILLISECONDS.minute;
/** Number of senders that are named, and time in ms before the new key for which they are. */
const [MAX_STRANGERS, STRANGER_AGE] = [3, MILLISECONDS.hour];

/** The newest values that belong to the first upload, in the order of the API. */
export function arrivedValues(
  newest: Newest,
  { since }: WatchedKey,
): readonly (readonly [string, Newest[string]])[] {
  return Object.entries(newest).filter(([, { time }]) => Date.parse(time) >= since - BEFORE_UPLOAD);
}

/** The senders without a key that may be the console for which a person waits, the most recent first. */
export function strangers(pending: readonly Sender[], { since }: WatchedKey): readonly Sender[] {
  return pending
    .filter(({ last_seen: seen }) => Date.parse(seen) >= since - STRANGER_AGE)
    .slice(0, MAX_STRANGERS);
}

/** The sentences of the API about an accepted upload, such as why a value was not stored. */
export function oddities(status: UploadStatus): readonly string[] {
  return [...status.remarks, status.rain_report?.text, withoutCommands(status.rain_warning)].filter(
    (sentence): sentence is string => typeof sentence === 'string',
  );
}

/** The names of batteries that must be replaced. */
export function lowBatteries(status: UploadStatus): readonly string[] {
  return Object.entries(status.batteries).flatMap(([name, state]) => (state === 'low' ? name : []));
}

/** Whole seconds, as `1 min 12 s`, of a wait in ms. */
export function waitParts(milliseconds: number): readonly [minutes: number, seconds: number] {
  const seconds = Math.max(0, Math.floor(milliseconds / MILLISECONDS.second));
  return [Math.floor(seconds / 60), seconds % 60];
}

function timeOfNewest(newest: Newest | undefined): number {
  return Math.max(...Object.values(newest ?? {}).map(({ time }) => Date.parse(time)));
}

function timeOf(time: string | null): number {
  return time === null ? -Infinity : Date.parse(time);
}

/** A warning of the API up to its sentence about a command, for which the page has buttons. */
export function withoutCommands<T extends string | null>(warning: T): T {
  return warning && (warning.split('`', 1).join('').trim() as T);
}
