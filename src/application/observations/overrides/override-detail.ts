import type { AuditDetail } from '#domain/accounts/audit-event.js';
import type { QualityOverride } from '#domain/weather/quality/override.js';
import { variableNumbered } from '#domain/weather/variables.js';

/**
 * The details of an override, for the audit events when the override is added or removed. An override is the decision of an
 * administrator that the values of a range are good or bad.
 */
export function overrideDetail({ id, variable, from, to, verdict, reason }: QualityOverride): AuditDetail {
  return { overrule: id, variable: variableNumbered(variable).name, from, to, verdict, reason };
}
