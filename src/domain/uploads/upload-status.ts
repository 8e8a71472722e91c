import type { UploadField } from './upload.js';

/** What became of one upload, for the status of its key. All times in milliseconds since 1970-01-01T00:00:00Z. */
export interface RawUpload {
  readonly time: number;
  /** With all secrets masked. */
  readonly text: string;
  /** `stored`, `unchanged`, or the reason of the refusal. */
  readonly outcome: string;
}

export interface SeenField extends UploadField {
  readonly time: number;
}

export interface UploadCounts {
  readonly stored: number;
  readonly unchanged: number;
  readonly refused: number;
}

/** What is known of the uploads of a key. Times are in milliseconds since 1970-01-01T00:00:00Z; null for never or unknown. */
export interface UploadStatus {
  /** Time of the last upload, refused ones included. */
  readonly lastPush: number | null;
  /** Time of the last upload that was accepted, whether it changed something or not. */
  readonly lastSuccess: number | null;
  readonly lastError: { readonly time: number; readonly reason: string } | null;
  readonly counts: UploadCounts;
  /** Address of the last upload. */
  readonly address: string | null;
  /** Name of the dialect: `ecowitt`. `api` for a script that posts observations with the key as bearer token. */
  readonly dialect: string | null;
  readonly model: string | null;
  readonly firmware: string | null;
  /** By field, in words. */
  readonly batteries: Readonly<Record<string, string>>;
  /** Seconds by which the clock of the sender is ahead (negative: behind), if it differs by more than five minutes; else 0. */
  readonly clockSkew: number | null;
  /** Seconds between the last two uploads. */
  readonly interval: number | null;
  /** The identity (PASSKEY, MAC) that the key was first used with, as a digest, and the time at which another one came. */
  readonly identity: { readonly digest: string; readonly changedAt: number | null } | null;
  /** Whether the last upload had the secret that was replaced by a rotation. */
  readonly usesPrevious: boolean;
  /** The gauge whose rain is stored, and the last report about rain that was held back or left out. */
  readonly rain: {
    readonly gauge: string;
    readonly report: { readonly time: number; readonly text: string } | null;
  } | null;
  /** Sentences about values that are left out on purpose, of the last accepted upload. */
  readonly remarks: readonly string[];
  /** Fields that are not stored, with their last value. */
  readonly unmapped: readonly SeenField[];
  /** The last uploads, newest first. */
  readonly raw: readonly RawUpload[];
}

/** Number of raw uploads that are kept for a key. */
export const MAX_RAW = 20;
/** Largest number of unmapped fields of a key. Further names are not listed. */
export const MAX_FIELDS = 128;
/** Largest number of characters of a name or a text that a sender has chosen. */
export const MAX_TEXT = 64;
/** Largest number of batteries of a key. */
export const MAX_BATTERIES = 64;
