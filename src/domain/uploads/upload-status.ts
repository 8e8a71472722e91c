import { MILLISECONDS } from '../time.js';
import { readSecret } from '../secret-text.js';
import type { UploadField } from './upload.js';

/** One raw upload. */
export interface ShownUpload {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
  /** The request as text, with all secrets masked. */
  readonly text: string;
  /** `stored`, `unchanged`, or the reason of the refusal. */
  readonly outcome: string;
}

/** The last value of a field that is not stored. */
export interface SeenField extends UploadField {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly time: number;
}

export interface UploadCounts {
  readonly stored: number;
  readonly unchanged: number;
  readonly refused: number;
}

/** A sentence about an upload, and its time in milliseconds since 1970-01-01T00:00:00Z. */
export interface UploadReport {
  readonly time: number;
  readonly text: string;
}

/**
 * The status of the uploads with one upload key. Times are in milliseconds since 1970-01-01T00:00:00Z. Null means that the event
 * never happened, or that the value is unknown.
 */
export interface UploadStatus {
  /** Time of the last upload, accepted or refused. */
  readonly lastPush: number | null;
  /** Time of the last accepted upload, whether it changed stored data or not. */
  readonly lastSuccess: number | null;
  readonly lastError: UploadReport | null;
  readonly counts: UploadCounts;
  /** Address of the last upload. */
  readonly address: string | null;
  /** Name of the dialect: `ecowitt`. */
  readonly dialect: string | null;
  readonly model: string | null;
  readonly firmware: string | null;
  /** The states of the batteries by field, as text: `low`. */
  readonly batteries: Readonly<Record<string, string>>;
  /** Seconds by which the clock of the sender is ahead (negative: behind). 0 if the difference is at most five minutes. */
  readonly clockSkew: number | null;
  /** Seconds between the last two uploads. */
  readonly interval: number | null;
  /**
   * `digest`: digest of the first identity (PASSKEY, MAC) that used the key. `changedAt`: the last time at which another identity
   * used the key; null if no other identity did.
   */
  readonly identity: { readonly digest: string; readonly changedAt: number | null } | null;
  /** Whether the last upload contained the old secret of the key, which was replaced by a new secret but is still accepted. */
  readonly usesPrevious: boolean;
  /** The gauge whose rain is stored. */
  readonly gauge: string | null;
  /**
   * The last sentence for people about a counter that rose implausibly or fell, so that its increase was not stored at once.
   * Either the next upload decides about the increase, or the increase is never stored.
   */
  readonly rainReport: UploadReport | null;
  /** Remarks on the last accepted upload, as sentences. For example, a remark says why a value was deliberately not stored. */
  readonly remarks: readonly string[];
  /** Fields that are not stored, each with its last value; at most `MAX_FIELDS` fields. */
  readonly unmapped: readonly SeenField[];
  /**
   * The raw uploads, which are the last requests as text with all secrets masked. The newest is first. There are at most
   * `MAX_RAW`, and none is older than `RAW_AGE`.
   */
  readonly raw: readonly ShownUpload[];
}

/** Largest number of raw uploads of a key. */
export const MAX_RAW = 20;
/** Milliseconds for which raw uploads are kept. */
export const RAW_AGE = 7 * MILLISECONDS.day;
/**
 * Largest number of listed fields that are not stored, for each upload key. If the list is full, a new field takes the place of a
 * field that no upload has contained for a week. If there is no such field, the new field is not listed.
 */
export const MAX_FIELDS = 128;
/** Largest number of characters of a name or a text from a sender. */
export const MAX_TEXT = 64;
/** Largest number of batteries of a key. */
export const MAX_BATTERIES = 64;

/** A sequence of letters and digits that is long enough to contain an upload key. */
const KEY_WITHIN = /[\dA-Z](?:-?[\dA-Z]){25,}/gi;

export const NO_STATUS: UploadStatus = {
  lastPush: null,
  lastSuccess: null,
  lastError: null,
  counts: { stored: 0, unchanged: 0, refused: 0 },
  address: null,
  dialect: null,
  model: null,
  firmware: null,
  batteries: {},
  clockSkew: null,
  interval: null,
  identity: null,
  usesPrevious: false,
  gauge: null,
  rainReport: null,
  remarks: [],
  unmapped: [],
  raw: [],
};

/** Merges the status of earlier uploads with the status of later uploads. */
export function mergedStatus(earlier: UploadStatus, later: UploadStatus): UploadStatus {
  if (later.lastPush === null) return earlier;
  if (earlier.lastPush === null) return later;
  const isSuccess = later.lastSuccess !== null;
  return {
    lastPush: Math.max(earlier.lastPush, later.lastPush),
    lastSuccess: later.lastSuccess ?? earlier.lastSuccess,
    lastError: later.lastError ?? earlier.lastError,
    counts: {
      stored: earlier.counts.stored + later.counts.stored,
      unchanged: earlier.counts.unchanged + later.counts.unchanged,
      refused: earlier.counts.refused + later.counts.refused,
    },
    address: later.address ?? earlier.address,
    dialect: later.dialect ?? earlier.dialect,
    model: later.model ?? earlier.model,
    firmware: later.firmware ?? earlier.firmware,
    batteries: firstEntries({ ...earlier.batteries, ...later.batteries }),
    clockSkew: later.clockSkew ?? earlier.clockSkew,
    interval: later.interval ?? earlier.interval,
    identity: mergedIdentity(earlier.identity, later.identity, later.lastPush),
    usesPrevious: later.usesPrevious,
    gauge: later.gauge ?? earlier.gauge,
    rainReport: later.rainReport ?? earlier.rainReport,
    remarks: isSuccess ? later.remarks : earlier.remarks,
    unmapped: mergedFields(earlier.unmapped, later.unmapped, later.lastPush),
    raw: withRaw(earlier.raw, later.raw),
  };
}

/**
 * Returns the newest raw uploads (requests as text, with all secrets masked), the newest first. If one request contained several
 * uploads, they are one entry in the result. The outcome of this entry is:
 *
 * - the refusal, if the last upload of the request was refused;
 * - otherwise `stored`, if any of the uploads changed something;
 * - otherwise `unchanged`.
 */
export function withRaw(
  earlier: readonly ShownUpload[],
  later: readonly ShownUpload[],
): readonly ShownUpload[] {
  const requests = new Map<string, ShownUpload>();
  for (const one of [...later, ...earlier]) {
    const request = `${one.time} ${one.text}`;
    // The loop begins with the newest upload. A refusal ends a request, so only the newest upload of a request can be refused,
    // and its refusal stays. `unchanged` is replaced by the outcome of an earlier upload of the same request.
    if (requests.get(request)?.outcome === 'unchanged' || !requests.has(request)) requests.set(request, one);
  }
  const all = [...requests.values()].sort((a, b) => b.time - a.time);
  const newest = all[0]?.time ?? 0;
  return all.slice(0, MAX_RAW).filter(({ time }) => time > newest - RAW_AGE);
}

/**
 * The stored form of a text from a sender: at most `MAX_TEXT` characters, without control characters. An upload key that was
 * typed into the wrong field is masked.
 */
export function keptText(text: string): string {
  if (readSecret(text) !== undefined) return '***';
  const shown = text.replaceAll(KEY_WITHIN, '***');
  return shown.slice(0, MAX_TEXT).replaceAll(/\p{Cc}/gu, ' ');
}

function mergedIdentity(
  earlier: UploadStatus['identity'],
  later: UploadStatus['identity'],
  time: number,
): UploadStatus['identity'] {
  if (earlier === null || later === null) return earlier ?? later;
  if (earlier.digest !== later.digest) return { ...earlier, changedAt: time };
  return { ...earlier, changedAt: later.changedAt ?? earlier.changedAt };
}

function mergedFields(
  earlier: readonly SeenField[],
  later: readonly SeenField[],
  now: number,
): readonly SeenField[] {
  const fields = new Map(earlier.map((field) => [field.name, field]));
  for (const field of later) fields.set(field.name, field);
  if (fields.size <= MAX_FIELDS) return [...fields.values()];
  return [...fields.values()].filter(({ time }) => time > now - RAW_AGE).slice(0, MAX_FIELDS);
}

function firstEntries(record: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const entries = Object.entries(record);
  return entries.length <= MAX_BATTERIES ? record : Object.fromEntries(entries.slice(0, MAX_BATTERIES));
}
