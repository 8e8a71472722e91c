import { expect } from 'chai';
import { TargetKinds } from '#application/hooks/target-kinds.js';
import type { TargetKind } from '#application/ports/target-kind.js';

const network: TargetKind = {
  name: 'windy-net',
  title: 'Windy net',
  settings: { account: true, secret: true, url: false },
  faultOf: ({ account }) => (account === 'bad' ? 'The account is bad.' : undefined),
  weather: { interval: 60, send: async () => undefined },
};
const lines: TargetKind = {
  name: 'lines',
  title: 'Lines',
  settings: { url: false },
  schemes: ['tcp'],
  weather: { interval: 60, send: async () => undefined },
};
const chat: TargetKind = {
  name: 'chat',
  title: 'Chat',
  settings: { url: true },
  notify: async () => undefined,
};

describe('Kinds of targets', () => {
  const kinds = new TargetKinds([network, lines, chat]);
  const target = (service: string, settings: object = {}) =>
    ({ kind: 'service', service, allowPrivate: false, ...settings }) as const;
  const whole = target('windy-net', { account: 'a', secret: 'b' });

  const cases: readonly (readonly [
    target: ReturnType<typeof target>,
    owner: 'hook' | 'alarm',
    fault: string | undefined,
  ])[] = [
    [whole, 'hook', undefined],
    [{ ...whole, url: 'https://example.org/' } as never, 'hook', undefined],
    [target('windy-net', { account: 'a' }), 'hook', 'A target of the kind windy-net needs a secret.'],
    [target('windy-net', { secret: 'a' }), 'hook', 'A target of the kind windy-net needs an account.'],
    [target('lines', { secret: 'a' }), 'hook', 'A target of the kind lines cannot have a secret.'],
    [{ ...whole, account: 'bad' } as never, 'hook', 'The account is bad.'],
    [
      { ...whole, url: 'tcp://example.org:1' } as never,
      'hook',
      'The URL of a target of the kind windy-net begins with https: or http:.',
    ],
    [target('lines', { url: 'tcp://example.org:1' }), 'hook', undefined],
    [
      target('lines', { url: 'http://example.org:1' }),
      'hook',
      'The URL of a target of the kind lines begins with tcp:.',
    ],
    [target('chat', { url: 'http://example.org' }), 'alarm', undefined],
    [
      target('chat', { url: 'http://example.org' }),
      'hook',
      'Chat receives messages for people and no weather. The services are: windy-net, lines.',
    ],
    [
      whole,
      'alarm',
      'Windy net receives the weather of a station and no messages for people. The services are: chat.',
    ],
    [
      target('windynet'),
      'hook',
      'There is no service "windynet". Did you mean windy-net? The services are: windy-net, lines.',
    ],
  ];
  for (const [checked, owner, fault] of cases)
    it(fault ?? `are complete: ${checked.service} for ${owner}`, () => {
      expect(kinds.faultOf(checked, owner)).to.equal(fault);
    });

  it('may be none', () => {
    expect(new TargetKinds([]).faultOf(whole, 'alarm')).to.equal(
      'There is no service "windy-net". There are none.',
    );
  });
});
