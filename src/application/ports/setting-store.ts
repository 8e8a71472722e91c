import type { AuditEvent } from '#domain/accounts/audit-event.js';

/** Names of the settings that are kept in the data. */
export type StoredSettingName = 'uploads';

/**
 * Settings that administrators change in the browser. When a promise resolves, the data are on disk. Every method may reject with
 * STORE_UNAVAILABLE.
 */
export interface SettingStore {
  /** The text of a setting; undefined if it was never set. */
  find(name: StoredSettingName): Promise<string | undefined>;
  /** Sets a setting, and appends the event, in one commit. */
  put(name: StoredSettingName, text: string, event: AuditEvent): Promise<void>;
}
