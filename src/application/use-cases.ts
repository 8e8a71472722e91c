/** A class of which the container makes one object. */
export type UseCaseClass<T> = abstract new (...parameters: never) => T;

/** Returns the object of a class: `useCase(GetHealth).execute()`. Every call with the same class returns the same object. */
export type UseCaseOf = <T>(type: UseCaseClass<T>) => T;
