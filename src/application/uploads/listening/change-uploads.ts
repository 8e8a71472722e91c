import type { Caller } from '#domain/accounts/audit-event.js';
import { DomainError, isDomainError } from '#domain/domain-error.js';
import type { UploadsReach } from '#domain/uploads/uploads-reach.js';
import type { AuditTrail } from '../../accounts/audit-trail.js';
import { KeyedQueue } from '../../keyed-queue.js';
import type { SettingStore } from '../../ports/setting-store.js';
import type { UploadListener, UploadListening, UploadsChange } from '../../ports/upload-listening.js';

/** Switches the listener for uploads in the running service, and keeps the setting in the data. */
export class ChangeUploads {
  readonly #listener: UploadListener;
  readonly #settings: SettingStore;
  readonly #audit: AuditTrail;
  readonly #queue = new KeyedQueue();

  constructor(listener: UploadListener, settings: SettingStore, audit: AuditTrail) {
    this.#listener = listener;
    this.#settings = settings;
    this.#audit = audit;
  }

  state(): UploadListening {
    return this.#listener.state();
  }

  /**
   * Refusals are part of the result and not thrown, because a worker process gets the result from the main process as a message. After a refusal,
   * the listener is as before.
   */
  async execute(reach: UploadsReach, caller: Caller): Promise<UploadsChange> {
    return await this.#queue.run('', async () => {
      try {
        await this.#change(reach, caller);
      } catch (error) {
        if (!isDomainError(error)) throw error;
        return { refused: { code: error.code, message: error.message } };
      }
      return { listening: this.#listener.state() };
    });
  }

  async #change(reach: UploadsReach, caller: Caller): Promise<void> {
    const { reach: before, source } = this.#listener.state();
    if (source === 'environment' || source === 'file')
      throw new DomainError(
        'SETTING_FIXED',
        `The ${source === 'file' ? 'file of settings' : 'environment'} sets WEATHERD_UPLOADS_ENABLED, WEATHERD_UPLOADS_HOST or ` +
          'WEATHERD_UPLOADS_INSECURE, which override this setting. Remove them there, and restart the service.',
      );
    await this.#listener.switchTo(reach);
    try {
      const event = this.#audit.event(caller, 'setting-change', 'uploads', 'done', { value: reach });
      await this.#settings.put('uploads', reach, event);
    } catch (error) {
      await this.#listener.switchTo(before);
      throw error;
    }
  }
}
