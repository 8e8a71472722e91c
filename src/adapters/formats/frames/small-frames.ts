import type { WriteCounts } from '#domain/weather/merge-series.js';
import { FrameError, type FrameHeader, FrameSpace, HEADER_SIZE, KIND, padded } from './frame-header.js';

/**
 * This module has the functions for three small kinds of frames (pieces of binary data, docs/frames.md). A receipt frame says how
 * many of the sent rows were inserted, updated, unchanged or rejected. An error frame has an error. An end frame is the last
 * frame of every body.
 */

export interface ReceiptCounts extends WriteCounts {
  readonly rejected: number;
}

export interface ReceiptRow {
  /** Number of the row in the whole body, from 0. */
  readonly row: number;
  /** Number of the variable, or 0 if the whole row is refused. */
  readonly variable: number;
  readonly reason: number;
}

const REJECTION = 16;

export function receiptFrame(counts: ReceiptCounts, listed: readonly ReceiptRow[]): Uint8Array<ArrayBuffer> {
  const space = new FrameSpace(32 + listed.length * REJECTION);
  const view = new DataView(space.buffer, HEADER_SIZE);
  const { inserted, updated, unchanged, rejected } = counts;
  for (const [index, count] of [inserted, updated, unchanged, rejected].entries()) {
    view.setBigUint64(index * 8, BigInt(count), true);
  }
  for (const [index, { row, variable, reason }] of listed.entries()) {
    const at = 32 + index * REJECTION;
    view.setBigUint64(at, BigInt(row), true);
    view.setUint16(at + 8, variable, true);
    view.setUint16(at + 10, reason, true);
  }
  return space.seal(KIND.receipt, listed.length);
}

const CODE = 56;

/** @param code ASCII, at most 55 characters */
export function errorFrame(status: number, code: string, message: string): Uint8Array<ArrayBuffer> {
  const text = Buffer.from(message);
  const space = new FrameSpace(8 + CODE + padded(text.length + 1));
  new DataView(space.buffer).setUint32(HEADER_SIZE, status, true);
  space.bytes.set(Buffer.from(code).subarray(0, CODE - 1), HEADER_SIZE + 8);
  space.bytes.set(text, HEADER_SIZE + 8 + CODE);
  return space.seal(KIND.error, 0);
}

export function endFrame(rows: number, frames: number): Uint8Array<ArrayBuffer> {
  const space = new FrameSpace(16);
  const view = new DataView(space.buffer, HEADER_SIZE);
  view.setBigUint64(0, BigInt(rows), true);
  view.setBigUint64(8, BigInt(frames), true);
  return space.seal(KIND.end, 0);
}

/**
 * Checks the end frame, which is the last frame of a body and names the number of rows and frames before it.
 *
 * @param rows number of rows that were received
 * @param frames number of frames that were received
 * @throws FrameError if the end frame names other numbers
 */
export function assertEnd(header: FrameHeader, payload: Uint8Array, rows: number, frames: number): void {
  if (header.rows !== 0 || header.columns !== 0)
    throw new FrameError('an end frame must not have rows or columns');
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const [claimedRows, claimedFrames] = [view.getBigUint64(0, true), view.getBigUint64(8, true)];
  if (claimedRows !== BigInt(rows))
    throw new FrameError(`the end frame counts ${claimedRows} rows, but ${rows} were received`);
  if (claimedFrames !== BigInt(frames))
    throw new FrameError(`the end frame counts ${claimedFrames} frames, but ${frames} were received`);
}
