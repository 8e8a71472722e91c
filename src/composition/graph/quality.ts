import { AuditTrail } from '#application/accounts/audit-trail.js';
import { JudgeObservations } from '#application/observations/judging/judge-observations.js';
import { JudgeStation } from '#application/observations/judging/judge-station.js';
import { Neighbours } from '#application/observations/judging/neighbours.js';
import { AddOverrule } from '#application/observations/overrules/add-overrule.js';
import { FindLastingSteps } from '#application/observations/overrules/find-lasting-steps.js';
import { JudgeOverruled } from '#application/observations/overrules/judge-overruled.js';
import { ListOverrules } from '#application/observations/overrules/list-overrules.js';
import { RemoveOverrule } from '#application/observations/overrules/remove-overrule.js';
import { ReadObservations } from '#application/observations/read/read-observations.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import * as t from './tokens.js';
import { useCase, type Wiring } from './wiring.js';

/** The classes that judge stored observations, and overrules. */
export function qualityWirings(): readonly Wiring[] {
  return [
    useCase(Neighbours, [t.StationSearch]),
    useCase(JudgeStation, [
      {
        observations: t.ObservationStore,
        judging: t.JudgingStore,
        overrules: t.OverruleStore,
        announcer: t.Announcer,
      },
    ]),
    useCase(JudgeObservations, [
      {
        directory: StationDirectory,
        observations: t.ObservationStore,
        judging: t.JudgingStore,
        judgeStation: JudgeStation,
        neighbours: Neighbours,
      },
    ]),
    useCase(JudgeOverruled, [StationDirectory, t.ObservationStore, Neighbours, JudgeStation]),
    useCase(AddOverrule, [
      {
        clock: t.Clock,
        ids: t.IdSource,
        calendar: t.Calendar,
        observations: t.ObservationStore,
        overrules: t.OverruleStore,
        trail: AuditTrail,
        judge: JudgeOverruled,
      },
    ]),
    useCase(FindLastingSteps, [ReadObservations]),
    useCase(ListOverrules, [t.StationStore, t.OverruleStore]),
    useCase(RemoveOverrule, [
      {
        observations: t.ObservationStore,
        overrules: t.OverruleStore,
        trail: AuditTrail,
        judge: JudgeOverruled,
      },
    ]),
  ];
}
