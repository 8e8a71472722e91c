import { CommandDelivery } from '#adapters/delivery-command/command-delivery.js';
import { HttpDelivery } from '#adapters/delivery-http/http-delivery.js';
import { PostDelivery } from '#adapters/delivery-http/post-delivery.js';
import { ServiceDelivery } from '#adapters/target-network/service-delivery.js';
import { AuditTrail } from '#application/accounts/audit-trail.js';
import { DeliveryByKind } from '#application/hooks/delivery-by-kind.js';
import { DeliveryMetrics } from '#application/hooks/delivery-metrics.js';
import { HookRecords } from '#application/hooks/hook-records.js';
import { AddHook } from '#application/hooks/manage/add-hook.js';
import { ListHooks } from '#application/hooks/manage/list-hooks.js';
import { PauseHook } from '#application/hooks/manage/pause-hook.js';
import { RemoveHook } from '#application/hooks/manage/remove-hook.js';
import { TestHook } from '#application/hooks/manage/test-hook.js';
import { TargetKinds } from '#application/hooks/target-kinds.js';
import { ReadSums } from '#application/observations/read/current/read-sums.js';
import type { Clock } from '#application/ports/clock.js';
import { StationDirectory } from '#application/stations/station-directory.js';
import type { Config } from '../config.js';
import * as t from './tokens.js';
import { wireFactory, useCase, type Wiring } from './wiring.js';

/** The classes that deliver messages and manage hooks. */
export function hookWirings({ HOOKS_ALLOW_PRIVATE: allowPrivate }: Config): readonly Wiring[] {
  return [
    useCase(TargetKinds, [t.TargetKindList]),
    wireFactory(t.Delivery, (clock, kinds) => deliveryOfAll(clock, kinds, allowPrivate), [
      t.Clock,
      TargetKinds,
    ]),
    useCase(DeliveryMetrics, [t.Telemetry]),
    useCase(HookRecords, [t.HookStore]),
    useCase(AddHook, [t.Clock, StationDirectory, HookRecords, AuditTrail, t.Delivery]),
    useCase(ListHooks, [StationDirectory, t.HookStore]),
    useCase(RemoveHook, [t.Clock, HookRecords, AuditTrail]),
    useCase(PauseHook, [t.Clock, HookRecords, AuditTrail]),
    useCase(TestHook, [
      {
        clock: t.Clock,
        directory: StationDirectory,
        observations: t.ObservationStore,
        sums: ReadSums,
        kinds: TargetKinds,
        records: HookRecords,
        delivery: t.Delivery,
        ids: t.IdSource,
      },
    ]),
  ];
}

function deliveryOfAll(clock: Clock, kinds: TargetKinds, allowPrivate: boolean): DeliveryByKind {
  const exchange = new HttpDelivery({ allowPrivate });
  const deliveries = {
    post: new PostDelivery(exchange, clock),
    command: new CommandDelivery(),
    service: new ServiceDelivery(kinds, clock, { allowPrivate }),
  };
  return new DeliveryByKind(deliveries, kinds, (url, allowed) => exchange.refusalOf(url, allowed));
}
