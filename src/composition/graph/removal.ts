import { AuditTrail } from '#application/accounts/audit-trail.js';
import { CountValues } from '#application/observations/removal/count-values.js';
import { FindValues } from '#application/observations/removal/find-values.js';
import { RemoveValues } from '#application/observations/removal/remove-values.js';
import { EraseRanges } from '#application/observations/removal/erase-ranges.js';
import * as t from './tokens.js';
import { useCase, type Wiring } from './wiring.js';

/** The classes that remove values. */
export function removalWirings(): readonly Wiring[] {
  return [
    useCase(CountValues, [t.ObservationStore]),
    useCase(FindValues, [t.Calendar, t.ObservationStore]),
    useCase(EraseRanges, [
      {
        ids: t.IdSource,
        observations: t.ObservationStore,
        announcer: t.Announcer,
        audit: t.AuditStore,
        trail: AuditTrail,
      },
    ]),
    useCase(RemoveValues, [FindValues, EraseRanges]),
  ];
}
