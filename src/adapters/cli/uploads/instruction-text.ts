import type { Instruction } from '#application/uploads/setup/instructions.js';

const WIDTH = 78;
/**
 * The fields that a person fills in to set up a console (the display unit of a weather station), in the order in which consoles
 * show the fields.
 */
const FIELDS = ['protocol', 'server', 'path', 'port', 'id', 'password', 'interval'] as const;

/**
 * Instructions for people: the settings that make each kind of console or software send its uploads to the service. They are
 * paragraphs that fit a terminal of 80 columns. Texts to be copied begin in the first column and are not wrapped.
 */
export function formatInstructions(instructions: readonly Instruction[]): string {
  return instructions.map(formatInstruction).join('\n\n');
}

function formatInstruction(instruction: Instruction): string {
  const { make, where, text, note, missing } = instruction;
  const fields = FIELDS.filter((name) => instruction[name] !== undefined).map(
    (name) => `    ${name.padEnd(8)}  ${String(instruction[name])}${name === 'interval' ? ' s' : ''}`,
  );
  return [
    make,
    wrap(where, '  '),
    ...fields,
    ...(text === undefined ? [] : ['', text, '']),
    ...(note === undefined ? [] : [wrap(note, '  ')]),
    ...(missing === undefined ? [] : [wrap(`Not available yet: ${missing}`, '  ')]),
  ]
    .join('\n')
    .trimEnd();
}

/** Breaks text at spaces. Words that are longer than a line are not broken. */
export function wrap(text: string, indent = ''): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    const isFirst = line.length === indent.length;
    if (!isFirst && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...lines, line].join('\n');
}
