/** A class that the container instantiates once. */
export type UseCaseClass<T> = abstract new (...parameters: never) => T;

/**
 * Returns the instance of a class: `useCase(GetHealth).execute()`. Every call with the same class returns the same
 * instance.
 */
export type UseCaseOf = <T>(type: UseCaseClass<T>) => T;
