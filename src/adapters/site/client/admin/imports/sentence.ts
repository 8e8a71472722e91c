import type { ImportsText } from '../../text/en/imports.js';
import { type CheckedImport, isChecking, type ReasonCode } from './import-model.js';

/** A sentence of the service about a file. */
interface Reason {
  readonly code: ReasonCode;
  readonly values: Readonly<Record<string, string>>;
}

/**
 * Says in the language of the page what the service says about a file, with the controls of the page in place of the fields of
 * requests.
 *
 * @param english the sentences in English
 * @param joint what stands between two sentences
 */
export function sentenceOf(
  english: string,
  reasons: readonly Reason[],
  { reasons: texts, quantities, quoted, plan }: ImportsText,
  joint: string,
): string {
  const { kind, variable } = plan.columns;
  const labels: Readonly<Record<string, string>> = {
    ...plan.fields,
    columns: variable,
    counter: kind,
    amount: kind,
  };
  const valueOf = (text = '') => (Object.hasOwn(quantities, text) ? (quantities[text] ?? '') : text);
  const said = reasons.map(({ code, values }) =>
    texts?.[code].replace(/\{(\w+)\}/g, (_, name: string) => valueOf(values[name])),
  );
  const text = texts === null || said.length === 0 ? english : said.join(joint);
  return text.replace(/`(\w+)`/g, (whole, field: string) =>
    Object.hasOwn(labels, field) ? quoted(labels[field] ?? '') : whole,
  );
}

/** The state of an import in words, with the share of its rows that quality control has checked. */
export function stateText(
  job: CheckedImport,
  { states, checked }: Pick<ImportsText, 'states' | 'checked'>,
): string {
  const state = states[job.state];
  return isChecking(job) ? `${state}, ${checked(Math.round(100 * (job.checked ?? 0)))}` : state;
}
