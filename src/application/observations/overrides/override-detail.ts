import type { AuditDetail } from '#domain/accounts/audit-event.js';
import type { QualityOverride } from '#domain/weather/quality/override.js';
import { variableNumbered } from '#domain/weather/variables.js';

/** The details of an override in the audit events of its addition and removal. */
export function overrideDetail({ id, variable, from, to, verdict, reason }: QualityOverride): AuditDetail {
  return { overrule: id, variable: variableNumbered(variable).name, from, to, verdict, reason };
}
