import { expect } from 'chai';
import fc from 'fast-check';
import { AuditTrail } from '#application/accounts/audit-trail.js';
import type { SettingStore } from '#application/ports/setting-store.js';
import type { UploadListener, UploadListening } from '#application/ports/upload-listening.js';
import { ChangeUploads } from '#application/uploads/listening/change-uploads.js';
import { DomainError } from '#domain/domain-error.js';
import { UPLOADS_REACHES, type UploadsReach } from '#domain/uploads/uploads-reach.js';
import { FakeClock } from '../fakes/fakes.js';
import { openLocalStores } from '../../support/local-stores.js';
import { CALLER } from '../../support/world.js';

/** A listener that is switched after a while, and fails for some reaches. */
class FakeListener implements UploadListener {
  reach: UploadsReach = 'off';
  source: UploadListening['source'] = 'default';
  failing: readonly UploadsReach[] = [];
  isSwitching = false;

  state = () => ({ reach: this.reach, source: this.source, host: '127.0.0.1', port: 8082 });

  async switchTo(reach: UploadsReach): Promise<void> {
    expect(this.isSwitching, 'two switches at the same time').to.equal(false);
    this.isSwitching = true;
    await new Promise((resolve) => setImmediate(resolve));
    this.isSwitching = false;
    if (this.failing.includes(reach)) throw new DomainError('LISTENER_UNAVAILABLE', 'The port is in use.');
    this.reach = reach;
  }
}

describe('the setting of uploads', () => {
  const reach = fc.constantFrom(...UPLOADS_REACHES);
  const stores = openLocalStores();
  after(() => stores.close());

  const make = (listener: FakeListener, store: Partial<SettingStore> = {}) =>
    new ChangeUploads(
      listener,
      { ...stores.settings, ...store },
      new AuditTrail(new FakeClock(), stores.audit),
    );

  it('is as stored after any changes at the same time, of which some fail, and each change is recorded', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(reach, { minLength: 1, maxLength: 8 }),
        fc.subarray(['loopback', 'network'] as const),
        async (changes, failing) => {
          await stores.settings.put('uploads', 'off', event('off'));
          const listener = Object.assign(new FakeListener(), { failing });
          const before = (await stores.audit.list(1))[0]?.number ?? 0;
          const use = make(listener);
          const results = await Promise.all(changes.map((change) => use.execute(change, CALLER)));
          const done = changes.filter((change) => !failing.some((one) => one === change));
          expect(listener.reach).to.equal(done.at(-1) ?? 'off');
          expect(await stores.settings.find('uploads')).to.equal(listener.reach);
          const recorded = (await stores.audit.list(20)).filter(({ number }) => number > before);
          expect(recorded.map(({ detail }) => detail?.value).toReversed()).to.deep.equal(done);
          for (const [index, result] of results.entries())
            expect('listening' in result).to.equal(done.includes(changes[index] as never));
        },
      ),
      { numRuns: 30 },
    );
  });

  it('is refused if the environment or the file sets it', async () => {
    for (const source of ['environment', 'file'] as const) {
      const listener = Object.assign(new FakeListener(), { source });
      const result = await make(listener).execute('network', CALLER);
      expect('refused' in result && result.refused.code).to.equal('SETTING_FIXED');
      expect('refused' in result && result.refused.message)
        .to.contain(source)
        .and.contain('WEATHERD_UPLOADS_HOST');
      expect(listener.reach).to.equal('off');
    }
  });

  it('is as before if it cannot be stored', async () => {
    const listener = Object.assign(new FakeListener(), { reach: 'loopback' as const });
    const put = () => Promise.reject(new DomainError('STORE_UNAVAILABLE', 'The disk is full.'));
    const result = await make(listener, { put }).execute('network', CALLER);
    expect(result).to.deep.equal({ refused: { code: 'STORE_UNAVAILABLE', message: 'The disk is full.' } });
    expect(listener.reach).to.equal('loopback');
  });
});

const event = (value: string) => ({
  time: 0,
  action: 'setting-change' as const,
  outcome: 'done' as const,
  actor: null,
  subject: 'uploads',
  address: null,
  requestId: null,
  detail: { value },
});
