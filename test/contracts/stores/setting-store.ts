import { expect } from 'chai';
import type { Stores } from '#application/ports/stores.js';
import type { AuditEvent } from '#domain/accounts/audit-event.js';

const EVENT: AuditEvent = {
  time: 1_770_000_000_123,
  action: 'setting-change',
  outcome: 'done',
  actor: 'ada',
  subject: 'uploads',
  address: null,
  requestId: null,
  detail: { value: 'off' },
};

/** What a SettingStore must do. `opened` gives stores that are empty and open. */
export function settingStoreContract(opened: () => Stores): void {
  it('keeps a setting with the event of its change, and replaces it', async () => {
    const { settings, audit } = opened();
    expect(await settings.find('uploads')).to.equal(undefined);
    for (const text of ['network', '', 'loopback \u{1f327}']) {
      await settings.put('uploads', text, { ...EVENT, detail: { value: text } });
      expect(await settings.find('uploads')).to.equal(text);
      expect((await audit.list(1))[0]).to.deep.include({ action: 'setting-change', detail: { value: text } });
    }
    expect(await audit.list(10)).to.have.length(3);
  });

  it('keeps one of several changes at the same time', async () => {
    const { settings } = opened();
    const texts = Array.from({ length: 8 }, (_, index) => String(index));
    await Promise.all(texts.map((text) => settings.put('uploads', text, EVENT)));
    expect(await settings.find('uploads')).to.be.oneOf(texts);
  });

  it('is copied with the other records', async () => {
    const { settings, transfer } = opened();
    await settings.put('uploads', 'network', EVENT);
    const records = await transfer.read('uploadRecord');
    await transfer.clear(['uploadRecord']);
    expect(await settings.find('uploads')).to.equal(undefined);
    await transfer.add('uploadRecord', records);
    expect(await settings.find('uploads')).to.equal('network');
  });
}
