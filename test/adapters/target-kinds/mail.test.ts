import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mailKind, type MailServer } from '#adapters/target-kinds/mail.js';
import type { RecordedExchange } from '#application/ports/delivery.js';
import type { PersonalMessage } from '#application/ports/target-kind.js';
import { makeCertificate } from '../../support/certificate.js';
import { type MailOptions, startMailServer } from '../../support/mail-server.js';
import { TargetBench } from '../../support/target-bench.js';

const PASSWORD = 'p@ss: word/ü';
const MESSAGE: PersonalMessage = {
  id: '0196a9c4-7b1e',
  title: 'Garden: Böe über 20 m/s',
  text: 'Böe: 21,3 m/s.\n.Punkt am Anfang',
  urgency: 'normal',
  link: 'https://weather.example.org/stations/garden',
  fields: { event: 'raised' },
};

describe('Mail', () => {
  const stops: (() => void)[] = [];
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'mail-'))));
  after(() => rmSync(folder, { recursive: true }));
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });

  async function sent(
    options: MailOptions,
    {
      login = true,
      message = MESSAGE,
      ...more
    }: Partial<MailServer> & { login?: boolean; message?: PersonalMessage } = {},
  ) {
    const server = await startMailServer(options);
    stops.push(() => server.stop());
    const user = login ? `me:${encodeURIComponent(PASSWORD)}@` : '';
    const url = `smtp://${user}localhost:${server.port}`;
    const bench = new TargetBench(
      mailKind({ url, from: 'Weather <weather@example.org>', timeout: 1000, ...more }),
    );
    const outcome = await bench.notify({ account: 'you@example.org' }, message);
    expect(JSON.stringify([outcome, bench.shown])).to.not.match(/ss: word|p%40ss/);
    return { outcome, mails: server.mails, shown: bench.shown };
  }

  it('is sent with STARTTLS, the password, one Message-ID for all attempts, and a picture', async () => {
    const [cert, key] = makeCertificate(folder);
    const picture = async () => Uint8Array.of(0x89, 0x50, 0x4e, 0x47);
    const { outcome, mails } = await sent(
      { tls: { key, cert } },
      { ca: cert, message: { ...MESSAGE, picture } },
    );
    expect(outcome).to.equal('delivered');
    const [
      { from, to, login, isEncrypted, data } = { from: '', to: '', login: '', isEncrypted: false, data: '' },
    ] = mails;
    expect([isEncrypted, login]).to.deep.equal([true, `\0me\0${PASSWORD}`]);
    expect(from).to.contain('<weather@example.org>');
    expect(to).to.contain('<you@example.org>');
    expect(data)
      .to.contain('Message-ID: <0196a9c4-7b1e@weatherd>')
      .and.to.contain('Auto-Submitted: auto-generated');
    expect(data).to.contain('iVBORw==').and.to.contain('Content-Disposition: inline');
  });

  it('is sent without a password to a server without TLS, and no password is', async () => {
    expect((await sent({}, { login: false })).outcome).to.equal('delivered');
    const { outcome, mails } = await sent({});
    expect(outcome).to.have.property('failed').that.contains('No encrypted connection');
    expect(mails).to.deep.equal([]);
  });

  it('is not sent to a server with a certificate that nobody knows', async () => {
    const [cert, key] = makeCertificate(folder);
    const { outcome } = await sent({ tls: { key, cert } });
    expect(outcome).to.have.property('failed').that.contains('No encrypted connection');
    expect(outcome).to.not.have.property('permanent');
  });

  const replies: readonly (readonly [verb: string, reply: string | null, sentence: string, more: object])[] =
    [
      ['RCPT', '450 4.2.0 Greylisted, try again', 'takes the mail later: status 450', { retryAfter: 300 }],
      ['MAIL', '421 4.7.0 busy', 'takes the mail later: status 421', { retryAfter: 300 }],
      ['RCPT', '550 5.1.1 no such user', 'refused the mail with status 550', { permanent: true }],
      ['.', '552 5.3.4 too large', 'refused the mail with status 552', { permanent: true }],
      ['', null, 'did not answer in time', {}],
      ['.', null, 'did not answer in time', {}],
    ];
  for (const [verb, reply, sentence, more] of replies)
    it(`says what ${reply ?? 'silence'} after ${verb === '' ? 'the connection' : verb} means`, async () => {
      const answer = (asked: string) => (asked === verb ? reply : undefined);
      const { outcome, mails } = await sent({ answer }, { login: false });
      expect(outcome).to.have.property('failed').that.contains(sentence);
      expect(outcome).to.deep.include(more);
      expect('permanent' in (outcome as object)).to.equal('permanent' in more);
      expect(mails).to.deep.equal([]);
    });

  it('says that the password is wrong, also where the server repeats it', async () => {
    const [cert, key] = makeCertificate(folder);
    const answer = (verb: string, line: string) => (verb === 'AUTH' ? `535 5.7.8 wrong: ${line}` : undefined);
    const { outcome } = await sent({ tls: { key, cert }, answer }, { ca: cert });
    expect(outcome).to.have.property('failed').that.contains('refuses the user or the password');
    expect(outcome).to.deep.include({ retryAfter: 900 });
    expect(JSON.stringify(outcome)).to.not.contain(Buffer.from(`\0me\0${PASSWORD}`).toString('base64'));
  });

  it('is shown with the commands, the text and the replies, without the password in any encoding', async () => {
    const [cert, key] = makeCertificate(folder);
    const encodings = [
      PASSWORD,
      encodeURIComponent(PASSWORD),
      JSON.stringify(PASSWORD),
      Buffer.from(PASSWORD).toString('base64'),
      Buffer.from(`\0me\0${PASSWORD}`).toString('base64'),
    ];
    const answer = (verb: string) => (verb === 'RCPT' ? `550 5.1.1 ${encodings.join(' ')}` : undefined);
    const picture = async () => Uint8Array.of(1, 2, 3);
    const taken = await sent({ tls: { key, cert } }, { ca: cert, message: { ...MESSAGE, picture } });
    expect(taken.shown).to.have.length(1);
    const [{ sent: asked, received: answered }] = taken.shown as [RecordedExchange];
    expect(asked.split('\n')).to.include.members([
      'STARTTLS',
      'AUTH PLAIN ***',
      'MAIL FROM:<weather@example.org>',
      'RCPT TO:<you@example.org>',
      `Subject: ${MESSAGE.title}`,
      'Böe: 21,3 m/s.',
      MESSAGE.link,
      '(a picture of 3 bytes)',
    ]);
    expect(asked).to.match(/^SMTP localhost:\d+\n/);
    expect(answered).to.contain('235 2.7.0 welcome').and.to.contain('250 2.0.0 taken');
    const refused = await sent({ tls: { key, cert }, answer }, { ca: cert });
    expect(refused.shown[0]?.received).to.contain('550 5.1.1 ***');
    for (const text of encodings)
      expect(JSON.stringify([refused.outcome, ...refused.shown, ...taken.shown])).to.not.contain(text);
    const silent = await sent({ answer: () => null }, { login: false });
    expect(silent.shown).to.have.length(1);
    expect(silent.shown[0]?.received).to.contain('did not answer in time');
  });

  it('needs a server and an address', () => {
    expect(mailKind(undefined).faultOf?.({ account: 'a@b.example' })).to.contain('WEATHERD_SMTP_URL');
    const kind = mailKind({ url: 'smtp://localhost', from: 'a@b.example' });
    for (const account of ['me', 'a@b, c@d', 'A <a@b.example>', 'a@b\r\nBcc: c@d'])
      expect(kind.faultOf?.({ account })).to.contain('an address such as');
    expect(kind.faultOf?.({ account: 'me@example.org' })).to.equal(undefined);
  });
});
