// Shortens source maps (ECMA-426) to a third: a map then gives the line of a position, but not its column. Stack traces need
// the line, and the maps were a quarter of the package.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Shortens all maps of a folder of a bundle. */
export function shortenMaps(folder) {
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.map'))) {
    const path = join(folder, name);
    const map = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...map, names: [], mappings: shorten(map.mappings) }));
  }
}

/**
 * Keeps of each line of the bundle the first segment of each series with the same line of a source file.
 *
 * @param mappings field of a source map whose segments all name a source
 */
export function shorten(mappings) {
  // Source, line and column are stored as differences from the segment before, also across lines of the bundle.
  const read = [0, 0, 0];
  const written = [0, 0, 0];
  const shortenLine = (line) => {
    let position = 0;
    let writtenPosition = 0;
    let last;
    return (line === '' ? [] : line.split(',')).flatMap((segment) => {
      const [step, ...steps] = decode(segment);
      position += step;
      for (const index of read.keys()) read[index] += steps[index];
      const [source, sourceLine] = read;
      if (last?.source === source && last.sourceLine === sourceLine) return [];
      last = { source, sourceLine };
      const kept = [position - writtenPosition, ...read.map((value, index) => value - written[index])];
      writtenPosition = position;
      written.splice(0, written.length, ...read);
      return [kept.map(encode).join('')];
    });
  };
  return mappings
    .split(';')
    .map((line) => shortenLine(line).join(','))
    .join(';');
}

/** Numbers of a segment in base 64 VLQ: five bits a digit, the lowest first; the sign is the lowest bit of a number. */
function decode(segment) {
  const numbers = [];
  let value = 0;
  let shift = 0;
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    value += (digit & 31) << shift;
    shift += 5;
    if (digit >= 32) continue;
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}

function encode(number) {
  let rest = number < 0 ? -number * 2 + 1 : number * 2;
  let text = '';
  do {
    text += DIGITS[(rest & 31) + (rest > 31 ? 32 : 0)];
    rest >>>= 5;
  } while (rest > 0);
  return text;
}
