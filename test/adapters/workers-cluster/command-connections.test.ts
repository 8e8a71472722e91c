import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serialize } from 'node:v8';
import { expect } from 'chai';
import { CommandConnections } from '#adapters/workers-cluster/command-connections.js';
import { messageLength, MessageReader } from '#adapters/workers-cluster/message-reader.js';
import { ServiceConnection } from '#adapters/workers-cluster/service-connection.js';
import type { Announcement } from '#application/ports/announcer.js';
import { eventually } from '../../support/process.js';

const VERSION = '1.2.3';
const STATIONS: Announcement = { kind: 'stations' };

const framed = (bytes: Uint8Array) => Buffer.concat([messageLength(bytes.length), bytes]);

describe('MessageReader', () => {
  it('finds the same messages, however their bytes are cut', () => {
    const messages = ['a', 'bc', 'd'.repeat(300)];
    const bytes = Buffer.concat(messages.map((text) => framed(Buffer.from(text))));
    for (let size = 1; size <= bytes.length; size += 1) {
      const reader = new MessageReader(300);
      const found: string[] = [];
      for (let at = 0; at < bytes.length; at += size)
        for (const message of reader.add(bytes.subarray(at, at + size))) found.push(message.toString());
      expect(found).to.deep.equal(messages);
    }
  });

  it('refuses a message that is empty or too large before it has come', () => {
    for (const length of [0, 301])
      expect(() => [...new MessageReader(300).add(messageLength(length))]).to.throw(
        `a message has ${length} bytes`,
      );
  });
});

describe('the connection of a command to the service', () => {
  let folder: string;
  let path: string;
  let server: Server;
  let connections: CommandConnections;
  let announced: Announcement[];
  let perform: (operation: string, parameters: readonly unknown[]) => Promise<unknown>;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'weatherd-connection-'));
    path = join(folder, 'sock');
    announced = [];
    perform = async (operation, parameters) => ({ operation, parameters });
    connections = new CommandConnections({
      version: VERSION,
      writer: { perform: (...asked) => perform(...asked) },
      announce: (announcement) => announced.push(announcement),
    });
    server = connections.makeServer().listen(path);
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.close();
    await connections.close(0);
    rmSync(folder, { recursive: true });
  });

  const open = async () => {
    const connection = await ServiceConnection.open(path, VERSION);
    if (connection === undefined) throw new Error('nobody listens');
    return connection;
  };
  const failureOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'none',
      (error: unknown) => (error as Error).message,
    );
  /** A connection that sends what it likes. */
  const raw = async (greeting = `weatherd ${VERSION}`): Promise<Socket> => {
    const socket = connect(path);
    await once(socket, 'connect');
    socket.on('error', () => undefined).resume();
    socket.write(framed(Buffer.from(greeting)));
    return socket;
  };

  it('ends for messages that are none of a command, and goes on with others', async () => {
    for (const message of [null, undefined, 1, 'x', [], {}, { name: null }, { reply: {} }, new Map()]) {
      const socket = await raw();
      const closed = once(socket, 'close');
      socket.write(framed(serialize(message)));
      // What is an object may be a message of the same form, without an effect.
      if (typeof message === 'object' && message !== null) socket.end();
      await closed;
    }
    const connection = await open();
    expect(await connection.perform('write', [])).to.deep.equal({ operation: 'write', parameters: [] });
    await connection.close();
  });

  it('ends if the command does not greet in time, so that silent ones leave room for others', async () => {
    const own = join(folder, 'own');
    const quick = new CommandConnections({
      version: VERSION,
      writer: { perform },
      announce: () => undefined,
      greetingTimeout: 50,
    });
    const listening = quick.makeServer().listen(own);
    await once(listening, 'listening');
    const silent = connect(own).on('error', () => undefined);
    silent.resume();
    await once(silent, 'close');
    const connection = await ServiceConnection.open(own, VERSION);
    await connection?.close();
    expect(connection).not.to.equal(undefined);
    listening.close();
    await quick.close(0);
  });

  it('performs operations with columns, passes errors on, and announces before the command has ended', async () => {
    const connection = await open();
    const column = Float64Array.of(1, Number.NaN);
    expect(await connection.perform('write', ['x', column, Uint32Array.of(7)])).to.deep.equal({
      operation: 'write',
      parameters: ['x', column, Uint32Array.of(7)],
    });
    perform = () => Promise.reject(new Error('no space left'));
    expect(await failureOf(connection.perform('write', []))).to.equal('no space left');
    perform = async () => new Uint8Array(65 * 1024 * 1024);
    expect(await failureOf(connection.perform('read', []))).to.match(
      /^a message has \d+ bytes; the maximum is \d+ bytes$/,
    );
    connection.send(STATIONS);
    await connection.close();
    await eventually(
      async () => announced,
      (all) => all.length > 0,
    );
    expect(announced).to.deep.equal([STATIONS]);
  });

  it('announces "missed" for a command that ends without a word after it has changed something, when the change is done', async () => {
    let commit: () => void = () => undefined;
    const begun = new Promise<void>((isBegun) => {
      perform = () =>
        new Promise<void>((resolve) => {
          commit = resolve;
          isBegun();
        });
    });
    const socket = await raw();
    const request = { name: 'perform', payload: { operation: 'write', parameters: [] }, request: 1 };
    socket.write(framed(serialize(request)));
    await begun;
    socket.destroy();
    await once(socket, 'close');
    expect(announced).to.deep.equal([]);
    commit();
    await eventually(
      async () => announced,
      (all) => all.length > 0,
    );
    expect(announced).to.deep.equal([{ kind: 'missed' }]);
  });

  it('announces nothing for a command that has asked for nothing', async () => {
    const socket = await raw();
    socket.destroy();
    const connection = await open();
    await connection.close();
    await eventually(
      () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count))),
      (count) => count === 0,
    );
    expect(announced).to.deep.equal([]);
  });

  it('is refused by a program of another version, and by one that sends nonsense', async () => {
    expect(await failureOf(ServiceConnection.open(path, '1.2.4'))).to.equal(
      'The running service has version 1.2.3, and this command has version 1.2.4. Restart the service, or use the command of its version.',
    );
    for (const greeting of ['weatherd 1.2.4', 'GET / HTTP/1.1']) {
      const socket = await raw(greeting);
      await once(socket, 'close');
    }
    const socket = await raw();
    socket.write(framed(Buffer.from('nonsense')));
    await once(socket, 'close');
    expect(await (await open()).perform('write', [])).to.deep.equal({ operation: 'write', parameters: [] });
  });

  it('fails with a sentence where somebody listens who says nothing, or too many commands are connected', async () => {
    const silent = createServer((socket) => void socket.resume()).listen(join(folder, 'silent'));
    await once(silent, 'listening');
    expect(await failureOf(ServiceConnection.open(join(folder, 'silent'), VERSION, 50))).to.equal(
      `The service that uses the data does not answer at ${join(folder, 'silent')}. Restart the service.`,
    );
    silent.close();
    const many = await Promise.all(Array.from({ length: 32 }, () => open()));
    expect(await failureOf(open())).to.equal(
      'The service ended the connection at once: it stops, or many commands use it at the same time. Run the command again.',
    );
    for (const one of many) await one.close();
  });

  it('does not exist where nobody listens', async () => {
    expect(await ServiceConnection.open(join(folder, 'none'), VERSION)).to.equal(undefined);
  });

  it('reads no more than it can hold of a command that does not wait for answers', async () => {
    let asked = 0;
    const commits: (() => void)[] = [];
    perform = (operation) => {
      if (operation === 'other') return Promise.resolve();
      asked += 1;
      return new Promise<void>((resolve) => commits.push(resolve));
    };
    const socket = await raw();
    const parameters = [new Uint8Array(1024 * 1024)];
    const count = 100;
    for (let request = 1; request <= count; request += 1)
      socket.write(
        framed(serialize({ name: 'perform', payload: { operation: 'write', parameters }, request })),
      );
    await eventually(
      async () => asked,
      (number) => number >= 16,
    );
    // Another command is served all the same. Meanwhile everything that is sent could be read many times.
    const other = await open();
    for (let times = 0; times < 2000; times += 1) await other.perform('other', []);
    expect(asked).to.be.below(count / 5);
    const commitAll = async () => {
      for (const commit of commits.splice(0)) commit();
      return asked;
    };
    await eventually(commitAll, (number) => number === count);
    await commitAll();
    socket.destroy();
    await other.close();
  });

  it('ends when the service stops: what has come is answered, and what comes later fails with a sentence', async () => {
    let commit: (value: unknown) => void = () => undefined;
    const begun = new Promise<void>((isBegun) => {
      perform = () =>
        new Promise((resolve) => {
          commit = resolve;
          isBegun();
        });
    });
    const connection = await open();
    const answer = connection.perform('write', []);
    await begun;
    server.close();
    const closed = connections.close(60_000);
    commit('written');
    expect([await answer, await closed]).to.deep.equal(['written', true]);
    expect(await failureOf(connection.perform('write', []))).to.equal(
      'the service that writes the data has ended. Run the command again',
    );
    await connection.close();
  });

  it('is cut after the deadline', async () => {
    let commit: () => void = () => undefined;
    const begun = new Promise<void>((isBegun) => {
      perform = () =>
        new Promise<void>((resolve) => {
          commit = resolve;
          isBegun();
        });
    });
    const connection = await open();
    const answer = failureOf(connection.perform('write', []));
    await begun;
    expect(await connections.close(1)).to.equal(false);
    expect(await answer).to.contain('has ended');
    commit();
  });
});
