import { z } from 'zod';
import type { MadeUploadKey } from '#application/uploads/keys/key-view.js';
import { instructionsFor } from '#application/uploads/setup/instructions.js';
import { addressesOver, type UploadReach } from '#application/uploads/setup/upload-addresses.js';
import { toUploadKeyFields, uploadKeyFields } from './upload-key-fields.js';

const text = () => z.string().optional();

/** A new secret of a key, and what to type into each make of console and software. */
export const madeKeyFields = z.strictObject({
  upload_key: uploadKeyFields,
  key: z.string().describe('The secret. It is not stored and is shown only in this reply'),
  endpoints: z
    .array(
      z.strictObject({
        make: z.string().describe('Make of console or software'),
        where: z.string().describe('Where its form or file is'),
        protocol: text(),
        server: text(),
        path: text(),
        port: z.int().optional(),
        id: text(),
        password: text(),
        interval: z.int().optional().describe('Seconds between two uploads'),
        text: text().describe('To copy as it stands: a section of a file, a URL, a command'),
        note: text(),
        missing: text().describe('Why this make cannot send yet, and the setting to change'),
      }),
    )
    .describe('What to type into each make, for the address by which this API was reached'),
  warnings: z
    .array(z.string())
    .describe('What keeps senders from reaching the service or from being stored, and what to change'),
});

/** @param host the `Host` of the request */
export function toMadeKeyFields(
  { key, secret }: MadeUploadKey,
  reach: UploadReach,
  host: string,
): z.infer<typeof madeKeyFields> {
  const { addresses, warnings } = addressesOver(reach, host);
  const endpoints = instructionsFor({ station: key.station ?? '', key: secret }, addresses);
  return {
    upload_key: toUploadKeyFields(key),
    key: secret,
    endpoints: [...endpoints],
    warnings: key.rainWarning === null ? [...warnings] : [key.rainWarning, ...warnings],
  };
}
