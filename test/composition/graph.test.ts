import { expect } from 'chai';
import { Container, type ServiceIdentifier } from 'inversify';
import { loadConfig } from '#composition/config.js';
import { applicationGraph } from '#composition/graph/graph.js';
import { serviceGraph } from '#composition/doctor/service-graph.js';
import { constant, wireFactory, moduleOf, useCase, type Wiring } from '#composition/graph/wiring.js';

interface Greeter {
  greet(): string;
}
interface Counter {
  count(): number;
}
const Greeter = Symbol('Greeter') as ServiceIdentifier<Greeter>;
const Counter = Symbol('Counter') as ServiceIdentifier<Counter>;

class First {
  readonly greeter: Greeter;

  constructor(greeter: Greeter) {
    this.greeter = greeter;
  }
}

class Second {
  readonly parts: { readonly first: First; readonly counter: Counter };
  readonly size: number;

  constructor(size: number, parts: { readonly first: First; readonly counter: Counter }) {
    this.size = size;
    this.parts = parts;
  }
}

/** The compiler must refuse each of these wirings. A directive without an error in the next line is an error itself. */
export const REFUSED: readonly (() => Wiring)[] = [
  // @ts-expect-error a port of another type
  () => useCase(First, [Counter]),
  // @ts-expect-error a missing source
  () => useCase(First, []),
  // @ts-expect-error one source too many
  () => useCase(First, [Greeter, Counter]),
  // @ts-expect-error another class
  () => useCase(Second, [constant(1), { first: Second, counter: Counter }]),
  // @ts-expect-error a part that is missing
  () => useCase(Second, [constant(1), { first: First }]),
  // @ts-expect-error a constant of another type
  () => useCase(Second, [constant('one'), { first: First, counter: Counter }]),
  // @ts-expect-error a factory that makes something else
  () => wireFactory(Greeter, () => ({ count: () => 1 }), []),
];

describe('wiring', () => {
  it('creates each class once, from ports, classes, constants and objects of them, in any order', async () => {
    const closed: string[] = [];
    const container = new Container({ defaultScope: 'Singleton' });
    const module = moduleOf([
      useCase(Second, [constant(3), { first: First, counter: Counter }], () => void closed.push('second')),
      useCase(First, [Greeter], async () => void closed.push('first')),
      wireFactory(Counter, (first) => ({ count: () => first.greeter.greet().length }), [First]),
      wireFactory(Greeter, () => ({ greet: () => 'hello' }), []),
    ]);
    container.load(module);
    const second = container.get(Second);
    expect(second.size).to.equal(3);
    expect(second.parts.counter.count()).to.equal(5);
    expect(container.get(Second)).to.equal(second);
    expect(container.get(First)).to.equal(second.parts.first);
    await container.unloadAsync(module);
    expect(closed.sort()).to.deep.equal(['first', 'second']);
  });

  it('names a source that is not bound', () => {
    const container = new Container({ defaultScope: 'Singleton' });
    container.load(moduleOf([useCase(First, [Greeter])]));
    expect(() => container.get(First)).to.throw('Greeter');
  });
});

describe('the graph of the application', () => {
  it('has each object after those that it is made of, and each once', () => {
    const wirings = applicationGraph(loadConfig(undefined, {}), () => undefined).flatMap(
      (one) => one.wirings,
    );
    const all = new Set(wirings.map(({ identifier }) => identifier));
    expect(all.size).to.equal(wirings.length).and.above(100);
    const above = new Set<Wiring['identifier']>();
    const early: string[] = [];
    for (const { identifier, needs } of wirings) {
      const missing = needs.filter((need) => all.has(need) && !above.has(need));
      if (missing.length > 0) early.push(`${nameOf(identifier)} before ${missing.map(nameOf).join(', ')}`);
      above.add(identifier);
    }
    expect(early).to.deep.equal([]);
  });
});

describe('weatherd doctor --graph', () => {
  it('prints each object with what it is made of, and ports in parentheses', () => {
    const lines = serviceGraph(loadConfig(undefined, { WEATHERD_BACKUP_DIR: '/backups' })).split('\n');
    expect(lines).to.include('accounts');
    expect(lines).to.include('  RowBudget');
    expect(lines).to.include('  ListAlarms <- AlarmCache, StationDirectory');
    expect(lines).to.include('  AuditTrail <- (Clock), (AuditStore)');
    expect(lines.filter((line) => line.startsWith('  Runnable <- '))).to.have.lengthOf(13);
  });
});

function nameOf(identifier: Wiring['identifier']): string {
  return typeof identifier === 'function' ? identifier.name : String(identifier);
}
