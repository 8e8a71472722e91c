import type { UploadStatus } from '../../../domain/uploads/upload-status.js';

/** The statuses of the upload keys: changes are collected in memory and written together. */
export class UploadStatuses {
  /** In the order of `keys`. */
  list(_keys: readonly number[]): Promise<readonly UploadStatus[]> {
    throw new Error('not built');
  }
}
