import { type Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import type { UseCaseClass, UseCaseOf } from '#application/use-cases.js';

/** A value that is passed unchanged to a constructor. */
class Constant<T> {
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }
}

/** The source of a parameter: a port, a class, a constant, or an object whose fields are ports and classes. */
type Source<P> = ServiceIdentifier<P> | Constant<P> | { readonly [K in keyof P]: ServiceIdentifier<P[K]> };
type Sources<P extends readonly unknown[]> = { readonly [K in keyof P]: Source<P[K]> };

/** Defines an object that the container creates once. */
export interface Wiring {
  readonly identifier: ServiceIdentifier;
  /** The identifiers of the objects that `make` receives. */
  readonly needs: readonly ServiceIdentifier[];
  /** Creates the object. @param dependencies the objects of `needs`, in the same order */
  readonly make: (...dependencies: readonly unknown[]) => unknown;
  /** Called when the container closes, before the objects of `needs` are closed. */
  readonly close: ((value: unknown) => unknown) | undefined;
}

/**
 * Defines the object of a class of the application. The class is also the identifier of the object. The compiler compares the
 * sources with the parameters of the constructor.
 *
 * @param close called when the container closes
 */
export function useCase<P extends readonly unknown[], T>(
  type: new (...parameters: P) => T,
  sources: Sources<P>,
  close?: (value: T) => unknown,
): Wiring {
  return wiringOf(type, (...parameters: P) => new type(...parameters), sources, close);
}

/** Defines an object that a factory creates, for example the adapter of a port. */
export function wireFactory<P extends readonly unknown[], T>(
  identifier: ServiceIdentifier<T>,
  factory: (...parameters: P) => T,
  sources: Sources<P>,
): Wiring {
  return wiringOf(identifier, factory, sources);
}

/** Defines an object that exists already. @param close called when the container closes */
export function wireValue<T>(
  identifier: ServiceIdentifier<T>,
  value: T,
  close?: (value: T) => unknown,
): Wiring {
  return wiringOf(identifier, () => value, [], close);
}

/** A source with a fixed value: `useCase(GetInfo, [constant(identity)])`. */
export function constant<T>(value: T): Constant<T> {
  return new Constant(value);
}

/** Returns a module that makes these objects available in the container into which the module is loaded. */
export function moduleOf(wirings: readonly Wiring[]): ContainerModule {
  return new ContainerModule(({ bind }) => {
    for (const { identifier, needs, make, close } of wirings) {
      const binding = bind(identifier).toResolvedValue(make, [...needs]);
      if (close !== undefined) binding.onDeactivation(async (value) => void (await close(value)));
    }
  });
}

/** Returns a function that finds a use-case of the container by its class. */
export function useCaseOf(container: Container): UseCaseOf {
  return <T>(type: UseCaseClass<T>) => container.get<T>(type as ServiceIdentifier<T>);
}

function wiringOf<P extends readonly unknown[], T>(
  identifier: ServiceIdentifier<T>,
  factory: (...parameters: P) => T,
  sources: Sources<P>,
  close?: (value: T) => unknown,
): Wiring {
  const needs = sources.flatMap((source: unknown) => {
    if (source instanceof Constant) return [];
    return typeof source === 'object' ? Object.values(source as object) : [source];
  }) as ServiceIdentifier[];
  const make = (...dependencies: readonly unknown[]) => {
    const values = dependencies.values();
    const next = (): unknown => values.next().value;
    const parameters = sources.map((source: unknown) => {
      if (source instanceof Constant) return source.value as unknown;
      if (typeof source !== 'object') return next();
      return Object.fromEntries(Object.keys(source as object).map((name) => [name, next()]));
    });
    return factory(...(parameters as unknown as P));
  };
  return { identifier, needs, make, close: close as Wiring['close'] };
}
