import { type Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import type { UseCaseClass, UseCaseOf } from '#application/use-cases.js';

/** A value that is passed to a constructor as it is. */
class Constant<T> {
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }
}

/** The source of a parameter: a port, a class, a constant, or an object of ports and classes. */
type Source<P> = ServiceIdentifier<P> | Constant<P> | { readonly [K in keyof P]: ServiceIdentifier<P[K]> };
type Sources<P extends readonly unknown[]> = { readonly [K in keyof P]: Source<P[K]> };

type Get = (identifier: ServiceIdentifier) => unknown;

/** Defines an object that the container creates once. */
export interface Wiring {
  readonly identifier: ServiceIdentifier;
  readonly make: (get: Get) => unknown;
  /** Runs when the container closes, before the sources are closed. */
  readonly close: ((made: unknown) => unknown) | undefined;
}

/**
 * Wires a class of the application, which is its own identifier. The compiler compares the sources with the parameters
 * of the constructor.
 *
 * @param close runs when the container closes
 */
export function useCase<P extends readonly unknown[], T>(
  type: new (...parameters: P) => T,
  sources: Sources<P>,
  close?: (made: T) => unknown,
): Wiring {
  const make = (get: Get) => new type(...parametersOf(sources, get));
  return { identifier: type, make, close: close as Wiring['close'] };
}

/** Wires the adapter of a port. */
export function made<P extends readonly unknown[], T>(
  identifier: ServiceIdentifier<T>,
  factory: (...parameters: P) => T,
  sources: Sources<P>,
): Wiring {
  return { identifier, make: (get) => factory(...parametersOf(sources, get)), close: undefined };
}

/** A source that is a value: `useCase(GetInfo, [constant(identity)])`. */
export function constant<T>(value: T): Constant<T> {
  return new Constant(value);
}

/** A module of the container with these wirings. */
export function moduleOf(wirings: readonly Wiring[]): ContainerModule {
  return new ContainerModule(({ bind }) => {
    for (const { identifier, make, close } of wirings) {
      const binding = bind(identifier).toDynamicValue((context) => make((source) => context.get(source)));
      if (close !== undefined) binding.onDeactivation(async (value) => void (await close(value)));
    }
  });
}

/** The use-cases of a container, by their class. */
export function useCaseOf(container: Container): UseCaseOf {
  return <T>(type: UseCaseClass<T>) => container.get<T>(type as ServiceIdentifier<T>);
}

function parametersOf<P extends readonly unknown[]>(sources: Sources<P>, get: Get): P {
  const parameters = sources.map((source: unknown) => {
    if (source instanceof Constant) return source.value as unknown;
    if (typeof source !== 'object') return get(source as ServiceIdentifier);
    const parts = Object.entries(source as Readonly<Record<string, ServiceIdentifier>>);
    return Object.fromEntries(parts.map(([name, identifier]) => [name, get(identifier)]));
  });
  return parameters as unknown as P;
}
