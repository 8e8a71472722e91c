import type { DatedTable } from './dated-table.js';
import type { HourTable } from './hour-table.js';
import type { NoticeFacts, NoticeKind } from './notice.js';

/** The values of a neighbor, by the same hours as the values of the station. */
export interface NeighborHours {
  /** `Station.number`. */
  readonly number: number;
  readonly table: HourTable;
  /** Its published daily values. */
  readonly published: DatedTable;
}

export interface NoticeInput {
  readonly own: HourTable;
  /** Neighbors as of quality control (`NEIGHBORHOOD`), nearest first. */
  readonly neighbors: readonly NeighborHours[];
  /** Published daily values of the station. */
  readonly published: DatedTable;
  /** Degrees north and east; undefined if the position is unknown. */
  readonly position: { readonly latitude: number; readonly longitude: number } | undefined;
}

/** A range of hours of a station with what a check has found. */
export interface Finding {
  readonly variable: number;
  /** First hour, and the hour after the last one, as indices of the hour table. */
  readonly from: number;
  readonly to: number;
  readonly facts: NoticeFacts;
  /** Numbers of the compared neighbors. */
  readonly comparedWith: readonly number[];
}

/** What a check compares: the weeks around a range, or all years of the station. */
export const NOTICE_SPANS = ['weeks', 'years'] as const;
export type NoticeSpan = (typeof NOTICE_SPANS)[number];

/** A check that finds what a verdict cannot see. */
export interface NoticeCheck {
  readonly kind: NoticeKind;
  readonly span: NoticeSpan;
  /** Publication from which the method comes. */
  readonly source: string;
  /** What the check finds, in one sentence for the documents. */
  readonly finds: string;
  readonly find: (input: NoticeInput) => readonly Finding[];
}
