/** Largest number of levels of a topic. Longer topics match no pattern. */
const MAX_LEVELS = 32;

/** A pattern of topics: `tele/+device/SENSOR`. `+name` matches one level and captures it; `#` at the end matches all further levels. */
export interface TopicPattern {
  readonly text: string;
  /** The topic filter of MQTT, which has no names of captures: `tele/+/SENSOR`. */
  readonly filter: string;
  /** Names of the captures, with the plus sign: `+device`. */
  readonly captures: readonly string[];
}

/** @returns the pattern, or the reason why `text` is not a pattern */
export function readTopicPattern(text: string): TopicPattern | string {
  const levels = text.split('/');
  if (text === '') return 'must not be empty';
  if (levels.length > MAX_LEVELS) return `has more than ${MAX_LEVELS} levels`;
  for (const [index, level] of levels.entries()) {
    if (level.includes('#') && (level !== '#' || index < levels.length - 1))
      return '# must be the whole last level';
    if (level.includes('+') && !/^\+\w*$/.test(level))
      return `the level ${JSON.stringify(level)} must be + or +name`;
  }
  const captures = levels.filter((level) => /^\+\w/.test(level));
  if (new Set(captures).size < captures.length) return 'two levels have the same name';
  const filter = levels.map((level) => (level.startsWith('+') ? '+' : level)).join('/');
  return { text, filter, captures };
}

/** @returns the captured levels by name (`+device`), or undefined if the topic does not match */
export function matchTopic(pattern: TopicPattern, topic: string): ReadonlyMap<string, string> | undefined {
  const levels = pattern.text.split('/');
  const sent = topic.split('/', MAX_LEVELS + 1);
  const captures = new Map<string, string>();
  for (const [index, level] of levels.entries()) {
    if (level === '#') return captures;
    const text = sent[index];
    if (text === undefined) return undefined;
    if (level.startsWith('+')) captures.set(level, text);
    else if (level !== text) return undefined;
  }
  return sent.length === levels.length ? captures : undefined;
}
