import { DomainError } from '#domain/domain-error.js';
import type { ImportReason } from '../../ports/file-importer.js';

/** Why a file cannot be read before a person says more about it. */
export class ImportRefusal extends DomainError {
  readonly reasons: readonly ImportReason[];
  readonly headings: readonly string[];

  /** @param headings the columns of which at least one must be named */
  constructor(message: string, reasons: readonly ImportReason[], headings: readonly string[]) {
    super('REQUEST_INVALID', message);
    this.reasons = reasons;
    this.headings = headings;
  }
}
