import { expect } from 'chai';
import { gotify } from '#adapters/target-kinds/gotify.js';
import { ntfy } from '#adapters/target-kinds/ntfy.js';
import { telegram } from '#adapters/target-kinds/telegram.js';
import type { PersonalMessage, TargetKind, TargetSettings } from '#application/ports/target-kind.js';
import {
  type ReceivedRequest,
  type SimulatedReply,
  type SimulatedService,
  startService,
  TargetBench,
} from '../../support/target-bench.js';

const MESSAGE: PersonalMessage = {
  id: '1',
  title: 'Garden: Böe über 20 m/s',
  text: 'Böe: 21,3 m/s.\nAlarm „a<b>&“.',
  urgency: 'normal',
  station: { id: 'garden', name: 'Garden' },
  link: 'https://weather.example.org/stations/garden',
  fields: { event: 'raised' },
};
const PICTURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 255);
const picture = async () => PICTURE;
/** Each service has its own sign of an accepted message. */
const ACCEPTED: SimulatedReply = { body: '{"ok":true,"id":"1"}' };
const TOKEN = '123456789:AAE-the_token_of_the_bot_0123456789';

describe('Services that people read', () => {
  let service: SimulatedService;
  let answer: (request: ReceivedRequest) => SimulatedReply;
  beforeEach(async () => {
    answer = () => ACCEPTED;
    service = await startService((request) => answer(request));
  });
  afterEach(() => service.stop());
  const sent = () => service.requests.map(({ body }) => JSON.parse(body) as Record<string, unknown>);

  describe('ntfy', () => {
    const send = (message: PersonalMessage, secret?: string) =>
      new TargetBench(ntfy).notify(
        { url: `${service.url}/push/my-topic`, ...(secret !== undefined && { secret }) },
        message,
      );

    it('gets title, text, urgency, link and token', async () => {
      expect(await send(MESSAGE, 'tk_secret')).to.equal('delivered');
      expect(await send({ ...MESSAGE, urgency: 'low', fields: { event: 'cleared' } })).to.equal('delivered');
      expect(service.requests.map(({ path, headers }) => [path, headers.authorization])).to.deep.equal([
        ['/push/', 'Bearer tk_secret'],
        ['/push/', undefined],
      ]);
      const { title, text, link } = MESSAGE;
      const common = { topic: 'my-topic', title, message: text, click: link };
      expect(sent()).to.deep.equal([
        { ...common, priority: 3, tags: ['warning'] },
        { ...common, priority: 2, tags: ['white_check_mark'] },
      ]);
    });

    it('gets a picture as attachment, and the message alone where it takes none', async () => {
      expect(await send({ ...MESSAGE, picture })).to.equal('delivered');
      const [{ method, path, headers } = {} as ReceivedRequest] = service.requests;
      expect([method, path, headers['filename'], headers['priority']]).to.deep.equal([
        'PUT',
        '/push/my-topic',
        'station.png',
        '3',
      ]);
      const text = /^=\?UTF-8\?B\?(.*)\?=$/.exec(String(headers['message']))?.[1] ?? '';
      expect(Buffer.from(text, 'base64').toString()).to.equal(MESSAGE.text.replace('\n', '\\n'));
      for (const status of [400, 413, 429, 507]) {
        answer = ({ method: used }) => (used === 'PUT' ? { status } : ACCEPTED);
        expect(await send({ ...MESSAGE, picture })).to.equal('delivered');
      }
      expect(service.requests.at(-1)?.method).to.equal('POST');
    });

    it('says when it takes no more for some time, nothing as large, or not this token', async () => {
      answer = () => ({
        status: 429,
        headers: { 'retry-after': '40' },
        body: '{"code":42901,"error":"limit reached"}',
      });
      expect(await send(MESSAGE)).to.deep.include({ retryAfter: 40 });
      answer = () => ({ status: 413, body: '{"code":41301}' });
      expect(await send(MESSAGE)).to.deep.include({ permanent: true });
      answer = () => ({ status: 403, body: 'token tk_secret is wrong for my-topic' });
      const outcome = await send(MESSAGE, 'tk_secret');
      expect(JSON.stringify(outcome))
        .to.contain('status 403')
        .and.not.match(/tk_secret|my-topic/);
    });

    it('needs a topic', () => {
      for (const url of ['https://ntfy.sh', 'https://ntfy.sh/', 'https://ntfy.sh/a.b'])
        expect(ntfy.faultOf?.({ url })).to.contain('the topic');
      expect(ntfy.faultOf?.({ url: 'https://ntfy.sh/garden_1' })).to.equal(undefined);
    });
  });

  describe('Gotify', () => {
    const send = (message: PersonalMessage, path = '') =>
      new TargetBench(gotify).notify({ url: `${service.url}${path}`, secret: 'AToken.of-app' }, message);

    it('gets title, text, urgency and link, and the token in a header', async () => {
      expect(await send(MESSAGE)).to.equal('delivered');
      expect(await send({ ...MESSAGE, urgency: 'low' }, '/gotify/')).to.equal('delivered');
      expect(service.requests.map(({ path, headers }) => [path, headers['x-gotify-key']])).to.deep.equal([
        ['/message', 'AToken.of-app'],
        ['/gotify/message', 'AToken.of-app'],
      ]);
      const { title, text, link } = MESSAGE;
      const extras = { 'client::notification': { click: { url: link } } };
      expect(sent()[0]).to.deep.equal({ title, message: text, priority: 5, extras });
      expect(sent()[1]).to.deep.include({ priority: 2 });
    });

    it('says that the token is wrong, without the token', async () => {
      answer = () => ({ status: 401, body: '{"error":"Unauthorized","errorDescription":"AToken.of-app"}' });
      const outcome = await send(MESSAGE);
      expect(JSON.stringify(outcome))
        .to.contain('Check the account and the secret')
        .and.not.contain('AToken');
      expect(outcome).to.not.have.property('permanent');
    });
  });

  describe('Telegram', () => {
    const bench = new TargetBench(telegram);
    const send = (message: PersonalMessage, account = '-1001') =>
      bench.notify({ account, secret: TOKEN, url: service.url }, message);
    const refusal = (status: number, more: object): SimulatedReply => ({
      status,
      body: JSON.stringify({ ok: false, error_code: status, ...more }),
    });

    it('gets the escaped text, silently where it is not urgent', async () => {
      expect(await send(MESSAGE)).to.equal('delivered');
      expect(await send({ ...MESSAGE, urgency: 'low' })).to.equal('delivered');
      expect(service.requests[0]?.path).to.equal(`/bot${TOKEN}/sendMessage`);
      expect(sent()[0]).to.deep.equal({
        chat_id: '-1001',
        text: '<b>Garden: Böe über 20 m/s</b>\nBöe: 21,3 m/s.\nAlarm „a&lt;b&gt;&amp;“.\nhttps://weather.example.org/stations/garden',
        link_preview_options: { is_disabled: true },
        parse_mode: 'HTML',
        disable_notification: false,
      });
      expect(sent()[1]).to.deep.include({ disable_notification: true });
      expect(JSON.stringify(bench.shown)).to.not.contain(TOKEN);
    });

    it('gets a picture with the text, and the text alone where it takes no picture', async () => {
      expect(await send({ ...MESSAGE, picture })).to.equal('delivered');
      const [photo] = service.requests;
      expect(photo?.path).to.equal(`/bot${TOKEN}/sendPhoto`);
      expect(photo?.headers['content-type']).to.match(/^multipart\/form-data; boundary=/);
      expect(photo?.body)
        .to.contain('name="caption"\r\n\r\n<b>Garden')
        .and.to.contain('filename="station.png"');
      answer = ({ path }) =>
        path.endsWith('/sendPhoto') ? refusal(400, { description: 'IMAGE_PROCESS_FAILED' }) : ACCEPTED;
      expect(await send({ ...MESSAGE, picture })).to.equal('delivered');
      expect(await send({ ...MESSAGE, text: 'x'.repeat(2000), picture })).to.equal('delivered');
      expect(service.requests.map(({ path }) => path.split('/').at(-1))).to.deep.equal([
        'sendPhoto',
        'sendPhoto',
        'sendMessage',
        'sendMessage',
      ]);
    });

    it('says why it refuses, and when it takes messages again', async () => {
      answer = () => refusal(429, { description: 'Too Many Requests', parameters: { retry_after: 35 } });
      expect(await send(MESSAGE)).to.deep.include({ retryAfter: 35 });
      answer = () => refusal(403, { description: 'Forbidden: bot was blocked by the user' });
      const blocked = await send(MESSAGE);
      expect(blocked).to.have.property('failed').that.contains('the user has blocked it');
      expect(blocked).to.deep.include({ retryAfter: 900 }).and.not.have.property('permanent');
      answer = () => refusal(401, { description: `Unauthorized ${TOKEN}` });
      const unknown = await send(MESSAGE);
      expect(unknown).to.have.property('failed').that.contains('Check the token').and.not.contain(TOKEN);
      answer = () => refusal(400, { description: 'Bad Request: chat not found' });
      expect(await send(MESSAGE)).to.not.have.property('permanent');
      answer = () => refusal(400, { description: "Bad Request: can't parse entities" });
      expect(await send(MESSAGE)).to.deep.include({ permanent: true });
      answer = () => ({ status: 502, body: '<html>' });
      expect(await send(MESSAGE))
        .to.have.property('failed')
        .that.contains('status 502');
    });

    it('follows a group that has become a supergroup', async () => {
      answer = ({ body }) =>
        (JSON.parse(body) as { chat_id: string }).chat_id === '-5'
          ? refusal(400, { description: 'upgraded', parameters: { migrate_to_chat_id: -100500 } })
          : ACCEPTED;
      expect(await send(MESSAGE, '-5')).to.equal('delivered');
      expect(await send(MESSAGE, '-5')).to.equal('delivered');
      expect(sent().map(({ chat_id: chat }) => chat)).to.deep.equal(['-5', '-100500', '-100500']);
    });

    it('needs a chat and a token of their forms', () => {
      const fault = (account: string, secret: string) => telegram.faultOf?.({ account, secret });
      expect(fault('garden', TOKEN)).to.contain('The chat of Telegram');
      expect(fault('@my_channel', 'token')).to.contain('the token of the bot').and.not.contain('"token"');
      for (const account of ['@my_channel', '12', '-1001234567890'])
        expect(fault(account, TOKEN)).to.equal(undefined);
    });
  });

  it('count as failing if another server answers with status 200 at their address', async () => {
    const targets: readonly [kind: TargetKind, settings: TargetSettings][] = [
      [ntfy, { url: `${service.url}/my-topic` }],
      [gotify, { url: service.url, secret: 'AToken.of-app' }],
      [telegram, { account: '1', secret: TOKEN, url: service.url }],
    ];
    for (const body of [
      '',
      '<html>Sign in</html>',
      '{}',
      'null',
      '[]',
      '"ok"',
      '{"ok":false,"id":0}',
      '{"ok":tr',
    ])
      for (const [kind, settings] of targets)
        for (const message of [MESSAGE, { ...MESSAGE, picture }]) {
          answer = () => ({ body });
          const outcome = await new TargetBench(kind).notify(settings, message);
          expect(outcome, `${kind.name}: ${body}`).to.have.property('failed').that.contains('address');
          expect(outcome).to.not.have.property('permanent');
        }
  });
});
