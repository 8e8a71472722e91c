import { MILLISECONDS } from '../time.js';
import {
  keptText,
  MAX_BATTERIES,
  MAX_FIELDS,
  NO_STATUS,
  type SeenField,
  type UploadStatus,
} from './upload-status.js';
import type { Arrival, Upload, UploadField, UploadOutcome } from './upload.js';

/** The outcome of an upload, and details that are shown in the status of its upload key (`UploadStatus`). */
export interface UploadNote {
  /**
   * `failed` means that the store failed. The outcome `pending`, for a sender without an upload key, does not occur here.
   */
  readonly outcome: UploadOutcome | { readonly kind: 'failed'; readonly detail: string };
  /** Milliseconds since the last upload of the key; undefined for the first upload. */
  readonly interval: number | undefined;
  /**
   * Seconds by which the clock of the sender is ahead, see `UploadStatus.clockSkew`; undefined if the time of the sender was not
   * checked.
   */
  readonly skew?: number;
  /** Digest of the identity of the sender. */
  readonly identity?: string;
  /** Whether the upload contained the old secret of the key, which was replaced by a new secret but is still accepted. */
  readonly isPrevious: boolean;
  readonly gauge?: string;
  readonly reports?: readonly string[];
  readonly remarks?: readonly string[];
  readonly unmapped?: readonly UploadField[];
}

/** The status of a key after a single upload. */
export function statusOf(upload: Upload, { receivedAt, address }: Arrival, note: UploadNote): UploadStatus {
  const { device, dialect, raw } = upload;
  const { outcome, interval, skew, identity, reports = [], remarks = [], unmapped = [] } = note;
  const reason = 'detail' in outcome ? outcome.detail : undefined;
  const isSuccess = outcome.kind === 'stored' || outcome.kind === 'unchanged';
  return {
    ...NO_STATUS,
    lastPush: receivedAt,
    lastSuccess: isSuccess ? receivedAt : null,
    lastError: reason === undefined ? null : { time: receivedAt, text: reason },
    counts: {
      stored: outcome.kind === 'stored' ? 1 : 0,
      unchanged: outcome.kind === 'unchanged' ? 1 : 0,
      refused: isSuccess ? 0 : 1,
    },
    address,
    dialect,
    model: device.model === undefined ? null : keptText(device.model),
    firmware: device.firmware === undefined ? null : keptText(device.firmware),
    batteries: Object.fromEntries(
      Object.entries(device.batteries)
        .slice(0, MAX_BATTERIES)
        .map(([name, state]) => [keptText(name), keptText(state)]),
    ),
    clockSkew: skew ?? null,
    interval: interval === undefined ? (device.interval ?? null) : Math.round(interval / MILLISECONDS.second),
    identity: identity === undefined ? null : { digest: identity, changedAt: null },
    usesPrevious: note.isPrevious,
    gauge: note.gauge ?? null,
    rainReport: reports.length === 0 ? null : { time: receivedAt, text: reports.join(' ') },
    remarks,
    unmapped: unmapped.slice(0, MAX_FIELDS).map((field) => seenField(field, receivedAt)),
    raw: [{ time: receivedAt, text: raw, outcome: reason ?? outcome.kind }],
  };
}

function seenField({ name, value, unit }: UploadField, time: number): SeenField {
  return {
    name: keptText(name),
    value: typeof value === 'string' ? keptText(value) : value,
    ...(unit !== undefined && { unit }),
    time,
  };
}
