/** A class whose one object the composition makes. */
export type UseCaseClass<T> = abstract new (...parameters: never) => T;

/** Gives the object of a use-case's class: `useCase(GetHealth).execute()`. Made at the start; asking again gives the same. */
export type UseCaseOf = <T>(type: UseCaseClass<T>) => T;
