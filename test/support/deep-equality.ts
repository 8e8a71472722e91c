import { config, util } from 'chai';

/** Values within more levels than this are compared by chai, so that a value that contains itself is compared too. */
const MAX_LEVELS = 50;

/**
 * Whether two values are equal in each part, and consist of primitive values, typed arrays, arrays and plain objects only. False
 * says nothing: the values may be of other kinds.
 */
export function areEqualData(one: unknown, other: unknown, levels = MAX_LEVELS): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object') return false;
  if (one === null || other === null || levels === 0) return false;
  if (Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false;
  if (Array.isArray(one)) return haveEqualItems(one, other as unknown[], levels - 1);
  if (ArrayBuffer.isView(one)) return bytesOf(one).equals(bytesOf(other as ArrayBufferView));
  if (!isPlain(one) || !isPlain(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && areEqualData(one[name], other[name], levels - 1))
  );
}

function haveEqualItems(one: readonly unknown[], others: readonly unknown[], levels: number): boolean {
  if (one.length !== others.length) return false;
  // `every` would skip the holes of an array.
  for (let index = 0; index < one.length; index += 1)
    if (!areEqualData(one[index], others[index], levels)) return false;
  return true;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  Buffer.from(buffer, byteOffset, byteLength);

function isPlain(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    (prototype === Object.prototype || prototype === null) && Object.getOwnPropertySymbols(value).length === 0
  );
}

// Chai compares large data fifteen times as slowly. It compares the values that are not equal data, and so describes differences.
config.deepEqual = (one, other) => areEqualData(one, other) || util.eql(one, other);
