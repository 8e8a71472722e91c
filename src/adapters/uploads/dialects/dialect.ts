import type { Device, Upload } from '#domain/uploads/upload.js';
import type { Replies } from '../upload-reply.js';
import type { RawUpload } from '../request/raw-upload.js';

/** An upload as a dialect (a protocol of stations) returns it. The receiver of the upload adds the omitted fields. */
export type DialectUpload = Omit<Upload, 'dialect' | 'digest' | 'raw'>;

/** A protocol in which stations or their software send values: how requests are recognized, read and answered. */
export interface Dialect {
  readonly name: string;
  /**
   * Whether a request is in this dialect, which is a protocol of stations. Most dialects check the fields and not the path,
   * because many consoles have a fixed path.
   */
  recognizes(upload: RawUpload): boolean;
  /**
   * @returns an upload for each time in the request; or, if the request cannot be read, the reason as a sentence without secrets,
   *   which the status of the upload key shows
   */
  read(upload: RawUpload): readonly DialectUpload[] | string;
  readonly replies: Replies;
}

/** The reason to refuse a request without a field of its protocol. */
export const NO_VALUES = 'The request has no values.';
/** The reason to refuse a request whose body begins like JSON. */
export const INVALID_JSON = 'The body begins like JSON, but it is not valid JSON.';

/** Largest number of characters of a text about the device. */
const MAX_TEXT = 64;

export interface DeviceFields {
  readonly model?: string | undefined;
  readonly firmware?: string | undefined;
  readonly runtime?: number | undefined;
  readonly interval?: number | undefined;
  readonly batteries: Device['batteries'];
}

/**
 * Returns a device without absent fields. If no model was sent, the start of the firmware is used as the model: `weewx-5.4.0` →
 * `weewx`.
 */
export function deviceOf({ model, firmware, runtime, interval, batteries }: DeviceFields): Device {
  const name = model ?? firmware?.split(/[-_ ]?V?\d{1,8}\.\d/i, 1)[0];
  return {
    ...(name !== undefined && name !== '' && { model: name.slice(0, MAX_TEXT) }),
    ...(firmware !== undefined && firmware !== '' && { firmware: firmware.slice(0, MAX_TEXT) }),
    batteries,
    ...(runtime !== undefined && { runtime }),
    ...(interval !== undefined && { interval }),
  };
}

/** Returns a sender without the fields that are absent or empty. */
export function senderOf(fields: {
  readonly [K in keyof DialectUpload['sender']]: string | undefined;
}): DialectUpload['sender'] {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''),
  );
}
