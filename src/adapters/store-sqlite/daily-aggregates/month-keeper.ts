import type { Database } from 'better-sqlite3';
import { keepMonths } from '#adapters/store/daily-aggregates/keep-months.js';
import { runOn } from '../database/statements.js';

/**
 * Runs the operation `keepMonths`, which keeps the stored sums of months whose rows are about to be removed. It runs within
 * transactions of the caller.
 */
export function monthKeeper(database: Database) {
  return (station: number, from: number, to: number): boolean =>
    runOn(database, keepMonths(station, from, to));
}
