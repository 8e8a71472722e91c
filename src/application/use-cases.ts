/** A class that the container instantiates once. */
export type UseCaseClass<T> = abstract new (...parameters: never) => T;

/** Returns the only instance of a class. For example, `useCase(GetHealth).execute()` gets the health. */
export type UseCaseOf = <T>(type: UseCaseClass<T>) => T;
