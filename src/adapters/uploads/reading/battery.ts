/** The encoding of the state of a battery. */
export type BatteryKind =
  /** 0 means ok, 1 means low. */
  | 'lowIsOne'
  /** 1 means ok, 0 means low. */
  | 'lowIsZero'
  /** Fifths of a full battery; 6 means mains power. */
  | 'fifths'
  | 'volts'
  /** A text that is displayed unchanged. */
  | 'text';

/** Largest number of characters of a displayed text. */
const MAX_TEXT = 32;

/** The state of a battery as text: `ok`, `low`, `60 %`, `mains`, `1.4 V`. */
export function batteryState(kind: BatteryKind, sent: string): string {
  const text = sent.trim().slice(0, MAX_TEXT);
  const value = Number(text);
  if (text === '' || !Number.isFinite(value) || kind === 'text') return text;
  if (kind === 'volts') return `${text} V`;
  if (kind === 'fifths') return value === 6 ? 'mains' : value > 6 ? text : `${value * 20} %`;
  if (value !== 0 && value !== 1) return text;
  return (value === 1) === (kind === 'lowIsOne') ? 'low' : 'ok';
}
