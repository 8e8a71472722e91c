import { DomainError } from '#domain/domain-error.js';

/** A file of an import format cannot be read to its end. @param message one sentence for people: `The file has no list "data".` */
export class ImportFailure extends DomainError {
  /**
   * Recognizes a failure by its name, because a package may have a copy of this class: of another version of weatherd, or of another build.
   * A copy is not a `DomainError`.
   */
  static override [Symbol.hasInstance](value: unknown): value is ImportFailure {
    return value instanceof Error && value.name === 'ImportFailure';
  }

  override readonly name = 'ImportFailure';

  constructor(message: string) {
    super('REQUEST_INVALID', message);
  }
}
