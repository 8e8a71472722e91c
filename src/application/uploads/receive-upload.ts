import type { Arrival, Upload, UploadOutcome } from '../../domain/uploads/upload.js';

/** Takes an upload of a weather station: finds its key, its time and its values, and stores them. */
export class ReceiveUpload {
  /** @throws DomainError STORE_UNAVAILABLE */
  execute(_upload: Upload, _arrival: Arrival): Promise<UploadOutcome> {
    throw new Error('not built');
  }
}
