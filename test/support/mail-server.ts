import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** What a simulated mail server does. */
export interface MailOptions {
  /** Key and certificate (PEM), for STARTTLS. Without them STARTTLS is not offered. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** The reply to a command, for example to `RCPT`; undefined for the usual one, and null for none at all. */
  readonly answer?: (verb: string, line: string) => string | null | undefined;
}

export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  /** User and password of AUTH PLAIN. */
  readonly login: string | undefined;
  readonly isEncrypted: boolean;
  readonly data: string;
}

/** Starts a mail server on the loopback interface that speaks as much of SMTP as is needed. */
export async function startMailServer({ tls, answer = () => undefined }: MailOptions = {}): Promise<{
  readonly port: number;
  readonly mails: ReceivedMail[];
  stop(): void;
}> {
  const mails: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const serve = (socket: Socket, isEncrypted: boolean) => {
    let [from, to, rest] = ['', '', ''];
    let login: string | undefined;
    let data: string[] | undefined;
    const reply = (verb: string, line: string, usual: string) => {
      const text = answer(verb, line);
      if (text !== null) socket.write(`${text ?? usual}\r\n`);
      return text === undefined;
    };
    const take = (line: string) => {
      if (data !== undefined) {
        if (line !== '.') return void data.push(line);
        if (reply('.', line, '250 2.0.0 taken'))
          mails.push({ from, to, login, isEncrypted, data: data.join('\n') });
        data = undefined;
        return;
      }
      const verb = line.slice(0, 4).toUpperCase();
      if (verb === 'EHLO') {
        const offers = ['AUTH PLAIN', ...(tls !== undefined && !isEncrypted ? ['STARTTLS'] : [])];
        reply(
          verb,
          line,
          ['250-test', ...offers.map((one, at) => `250${at === offers.length - 1 ? ' ' : '-'}${one}`)].join(
            '\r\n',
          ),
        );
      } else if (verb === 'STAR' && tls !== undefined) {
        if (!reply(verb, line, '220 go')) return;
        socket.removeAllListeners('data');
        const secure = new TLSSocket(socket, { isServer: true, ...tls });
        secure.on('error', () => undefined);
        serve(secure, true);
      } else if (verb === 'AUTH') {
        login = Buffer.from(line.split(' ')[2] ?? '', 'base64').toString();
        reply(verb, line, '235 2.7.0 welcome');
      } else if (verb === 'MAIL') {
        from = line;
        reply(verb, line, '250 2.1.0 ok');
      } else if (verb === 'RCPT') {
        to = line;
        reply(verb, line, '250 2.1.5 ok');
      } else if (verb === 'DATA') {
        if (reply(verb, line, '354 go on')) data = [];
      } else if (verb === 'QUIT') socket.end('221 bye\r\n');
      else reply(verb, line, '250 ok');
    };
    socket.on('data', (chunk: Buffer) => {
      const lines = `${rest}${chunk.toString()}`.split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    });
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    serve(socket, false);
    const greeting = answer('', '');
    if (greeting !== null) socket.write(`${greeting ?? '220 test'}\r\n`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    mails,
    stop: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
