import { DomainError } from '#domain/domain-error.js';

/** A file of an import format cannot be read to its end. @param message one sentence for people: `The file has no list "data".` */
export class ImportFailure extends DomainError {
  constructor(message: string) {
    super('REQUEST_INVALID', message);
  }
}
