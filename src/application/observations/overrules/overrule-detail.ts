import type { AuditDetail } from '#domain/accounts/audit-event.js';
import type { Overrule } from '#domain/weather/quality/overrule.js';
import { variableNumbered } from '#domain/weather/variables.js';

/** What the audit trail tells of an overrule that is added or removed. */
export function overruleDetail({ id, variable, from, to, verdict, reason }: Overrule): AuditDetail {
  return { overrule: id, variable: variableNumbered(variable).name, from, to, verdict, reason };
}
