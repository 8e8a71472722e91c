import { expect } from 'chai';
import { acceptTarget, describeTarget, type HookTarget, storedTarget } from '#domain/hooks/hook-target.js';

const POST = { kind: 'post', url: 'https://example.org/hook', allowPrivate: false } as const;
const SERVICE = {
  kind: 'service',
  service: 'wunderground',
  account: 'KNYNEWYO1',
  secret: 'secretkey',
  allowPrivate: false,
} as const;
const SECRET = '0123456789abcdef';

describe('Targets of hooks', () => {
  const refused: readonly (readonly [what: string, target: unknown, message: RegExp])[] = [
    ['a path', { ...POST, url: '/hook' }, /^"\/hook" is not a URL\. A URL is complete, such as https:/],
    [
      'a URL of files',
      { ...POST, url: 'file:///etc/passwd' },
      /begins with "file:"\. It must begin with https:/,
    ],
    ['a user in the URL', { ...POST, url: 'https://user@example.org/' }, /contains a user or a password/],
    [
      'a password in the URL',
      { ...POST, url: 'https://:secret@example.org/' },
      /contains a user or a password/,
    ],
    ['a long URL', { ...POST, url: `https://example.org/${'a'.repeat(2000)}` }, /at most 2000 characters/],
    ['a short secret', { ...POST, secret: SECRET.slice(1) }, /secret of a hook has 16 to 200 characters/],
    ['a long secret', { ...POST, secret: 'a'.repeat(201) }, /secret of a hook has 16 to 200 characters/],
    ['a secret with a blank', { ...POST, secret: `${SECRET} ` }, /without blanks/],
    ['no program', { kind: 'command', command: [] }, /begins with the full path of a program/],
    ['a program without its path', { kind: 'command', command: ['rm'] }, /begins with the full path/],
    ['a NUL', { kind: 'command', command: ['/bin/echo', 'a\0b'] }, /no NUL\. "a\\u0000b" breaks this rule/],
    ['51 parts', { kind: 'command', command: Array<string>(51).fill('/a') }, /at most 50 parts/],
    ['a long part', { kind: 'command', command: ['/a', 'b'.repeat(2001)] }, /at most 2000 characters/],
    ['no account', { ...SERVICE, account: '' }, /account of a target has 1 to 200 characters/],
    ['no secret of a service', { ...SERVICE, secret: '' }, /secret of a target has 1 to 1000 characters/],
    ['a control character', { ...SERVICE, secret: 'a\nb' }, /no control characters/],
    ['a URL of a service', { ...SERVICE, url: 'ftp://example.org' }, /begins with "ftp:"/],
    ['a user in the URL of a service', { ...SERVICE, url: 'tcp://a@example.org:1' }, /contains a user/],
    ['a URL without a host', { ...SERVICE, url: 'tcp:///path' }, /has no host/],
    ['a URL of lines for posts', { ...POST, url: 'tcp://example.org:1' }, /must begin with https: or http:/],
  ];
  for (const [what, target, message] of refused)
    it(`refuses ${what}`, () => {
      expect(() => acceptTarget(target as HookTarget))
        .to.throw(message)
        .with.property('code', 'REQUEST_INVALID');
    });

  it('never has a secret or a key in a message', () => {
    const key = 'pass\tword';
    for (const target of [
      { ...POST, secret: `${key}${SECRET}` },
      { ...SERVICE, secret: key },
    ])
      expect(() => acceptTarget(target))
        .to.throw()
        .with.property('message')
        .not.to.contain(key);
  });

  it('keeps what belongs to a target, and nothing else', () => {
    const more = { ...POST, secret: SECRET, url: 'https://EXAMPLE.org?a=b#part', other: 1 };
    expect(acceptTarget(more)).to.deep.equal({ ...POST, secret: SECRET, url: 'https://example.org/?a=b' });
    expect(acceptTarget(POST)).to.deep.equal(POST);
    expect(acceptTarget({ ...SERVICE, other: 1 } as HookTarget)).to.deep.equal(SERVICE);
    const bare = {
      kind: 'service',
      service: 'cwop',
      url: 'tcp://example.org:23',
      allowPrivate: true,
    } as const;
    expect(acceptTarget(bare)).to.deep.equal(bare);
    const command = { kind: 'command', command: ['/bin/echo', '$(id)', ''] } as const;
    expect(acceptTarget(command)).to.deep.equal(command);
  });

  const shown: readonly (readonly [target: HookTarget, text: string])[] = [
    [{ ...POST, secret: SECRET, url: 'https://example.org:444/hook?token=x' }, 'https://example.org:444/…'],
    [{ ...POST, url: 'https://hooks.example.org/services/T0/B0/x' }, 'https://hooks.example.org/…'],
    [{ ...POST, url: 'https://example.org/' }, 'https://example.org/'],
    [{ ...POST, url: 'https://example.org/?topic' }, 'https://example.org/…'],
    [{ kind: 'command', command: ['/bin/true'] }, '/bin/true'],
    [{ kind: 'command', command: ['/bin/notify', 'token'] }, '/bin/notify (1 argument)'],
    [{ kind: 'command', command: ['/bin/notify', 'a', 'b'] }, '/bin/notify (2 arguments)'],
    [SERVICE, 'wunderground KNYNEWYO1'],
    [{ ...SERVICE, url: 'http://localhost:8/a/b?k=1' }, 'wunderground KNYNEWYO1 at http://localhost:8/…'],
    [
      { kind: 'service', service: 'cwop', url: 'tcp://example.org:23', allowPrivate: false },
      'cwop at tcp://example.org:23/',
    ],
  ];
  for (const [target, text] of shown)
    it(`shows ${text}`, () => {
      expect(describeTarget(target)).to.equal(text);
    });

  it('are read as services, if an earlier version has stored them as uploads', () => {
    const { service, secret, ...others } = SERVICE;
    const stored = { ...others, kind: 'upload', protocol: service, key: secret } as const;
    expect(storedTarget(stored)).to.deep.equal(SERVICE);
    const url = 'https://example.org/upload';
    expect(storedTarget({ ...stored, url, allowPrivate: true })).to.deep.equal({
      ...SERVICE,
      url,
      allowPrivate: true,
    });
    for (const target of [POST, SERVICE]) expect(storedTarget(target)).to.equal(target);
  });
});
