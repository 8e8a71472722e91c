import { z } from 'zod';
import type { DescribedPlan, PlannedImport, SampleRows } from '#application/ports/file-importer.js';
import type { ImportJob, ListedJob } from '#application/ports/import-service.js';
import {
  type NeedCode,
  NEEDS,
  type QuestionCode,
  QUESTIONS,
  type RejectionCode,
  REJECTIONS,
} from '#adapters/formats/files/sentences.js';
import { utcTimestamp } from '../../core/schemas.js';
import { importOptions, toOptions } from './import-options.js';

const count = () => z.int().nonnegative();
const values = () => z.record(z.string(), z.string());
const codesOf = <C extends string>(texts: Readonly<Record<C, unknown>>) =>
  z.enum(Object.keys(texts) as [C, ...C[]]);
const STATES = [
  'receiving',
  'planning',
  'asking',
  'ready',
  'writing',
  'done',
  'failed',
  'undoing',
  'undone',
] as const;

const listFields = {
  import: z.string().describe('Id of the import; after its file was removed, its number'),
  state: z
    .enum(STATES)
    .describe(
      '`asking`: a question is open, or `error` says what to correct. `ready`: the plan waits for `confirm`. The other states are what they say',
    ),
  file: z.string(),
  stations: z.array(z.string()),
  started_at: utcTimestamp(),
  number: z
    .int()
    .nullable()
    .describe('Number of the import, as in `weatherd imports`; null before its first row'),
  can_undo: z.boolean(),
  checked: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe(
      'Share of the changed rows whose quality flags are final, rounded to 0.01; 1 only if all are final. Quality control checks imported rows in the ' +
        'background. Null if no row was changed, before the end of the import, after an undo, and in replies of other requests than `GET`',
    ),
};

/** An import in a list. */
export const listedImport = z
  .strictObject({ ...listFields, rows: count().describe('Number of inserted or changed rows') })
  .meta({ id: 'ListedImport' });

const samples = z.strictObject({
  times: z.array(utcTimestamp()),
  columns: z.array(
    z.strictObject({ variable: z.string(), unit: z.string(), values: z.array(z.number().nullable()) }),
  ),
  rows_seen: count().describe('Number of rows in the part of the file that was read for these rows'),
  problem: z.string().nullable().describe('Why there are no rows; null if there are some'),
  uncalibrated: count().describe(
    'Number of pressures at mean sea level of an uncalibrated console, which are left out',
  ),
});

const plan = z
  .strictObject({
    file: z.string(),
    title: z.string(),
    format: z.string().nullable().describe('Name of the import format; null for another table'),
    encoding: z.string(),
    decimal: z.enum(['.', ',']),
    station: z.string(),
    time: z.strictObject({
      headings: z.array(z.string()),
      formats: z.array(z.string()),
      zone: z.string(),
      interval: count().describe('Seconds by which rows are moved to the end of their interval'),
      whole_days: z.boolean().describe('Whether a date means the whole day'),
    }),
    reporting_interval: z.number().nullable(),
    columns: z.array(
      z.strictObject({
        heading: z.string(),
        variable: z.string(),
        unit: z.string(),
        reading: z.string().describe('The unit with everything else that matters, for people'),
        kind: z.enum(['value', 'counter']),
      }),
    ),
    left_out: z.array(z.strictObject({ reason: z.string(), headings: z.array(z.string()) })),
    skipped: z.array(z.string()).describe('Why rows are skipped'),
    notes: z.array(z.string()),
    doubt: z.string().nullable().describe('Why columns may be read wrongly; null if the plan is certain'),
    first_rows: samples.nullable().describe('The first rows as they will be stored'),
  })
  .meta({ id: 'ImportPlan' });

/** Everything about an import. */
export const importFields = z
  .strictObject({
    ...listFields,
    bytes: count().describe('Size of the file'),
    progress: z.strictObject({
      bytes: count().describe('Bytes of the file that were read for writing'),
      total: count(),
      line: count().describe('The last line whose rows are stored'),
    }),
    plan: z
      .strictObject({
        files: count().describe('Number of files that are imported'),
        plans: z.array(plan).describe('The files that are read in different ways, at most 20'),
        skipped: z.array(z.strictObject({ file: z.string(), reason: z.string() })),
      })
      .nullable(),
    questions: z.array(
      z.strictObject({
        key: z.string(),
        text: z.string(),
        choices: z.array(z.string()),
        code: codesOf(QUESTIONS).describe('What is asked'),
        values: values().describe('The values in `text`'),
      }),
    ),
    answers: z.record(z.string(), z.string()),
    options: importOptions,
    counts: z
      .strictObject({
        rows: count(),
        inserted: count(),
        updated: count(),
        unchanged: count(),
        repeated: count(),
        rejected: count(),
        cells: count().describe('Number of cells that could not be read, in imported rows'),
      })
      .nullable(),
    continued_after: z
      .int()
      .nullable()
      .describe('The line after which the import continued after a restart. `counts` has only later rows'),
    rejections: z
      .array(
        z.strictObject({
          file: z.string().nullable(),
          line: count(),
          column: z.string().nullable(),
          problem: z.string(),
          reasons: z
            .array(z.strictObject({ code: codesOf(REJECTIONS), values: values() }))
            .describe('The sentences of `problem`, as codes with their values'),
        }),
      )
      .describe('The first 1,000 rows and cells that were not imported or were changed'),
    notes: z.array(z.string()).describe('What the import has done besides writing rows'),
    undone: z
      .strictObject({
        rows: count().describe('Number of rows with restored values'),
        values: count(),
        removed: count().describe('Number of removed rows'),
        kept: count().describe('Number of values that were overwritten or removed later'),
      })
      .nullable(),
    error: z
      .strictObject({
        code: z.string(),
        message: z.string(),
        reasons: z
          .array(z.strictObject({ code: codesOf(NEEDS), values: values() }))
          .describe('The sentences of `message`, as codes with their values. Other messages have none'),
        headings: z.array(z.string()).describe('The columns of which `columns` must name one or more'),
      })
      .nullable(),
    revision: count().describe('Changes whenever more than the progress has changed'),
  })
  .meta({ id: 'Import' });

export function toListedImport(job: ListedJob): z.infer<typeof listedImport> {
  return { ...toListFields(job), rows: job.rows };
}

function toListFields({
  id,
  state,
  file,
  stations,
  startedAt,
  number,
  canUndo,
  checked,
}: Omit<ListedJob, 'rows'>) {
  return {
    import: id,
    state,
    file,
    stations: [...stations],
    started_at: toIso(startedAt),
    number,
    can_undo: canUndo,
    checked,
  };
}

export function toImportFields(job: ImportJob): z.infer<typeof importFields> {
  const { bytes, read, line, answers, settings, counts, continuedAfter, rejections, notes, undone, problem } =
    job;
  return {
    ...toListFields(job),
    bytes,
    progress: { bytes: Math.min(read, bytes), total: bytes, line },
    plan: job.plan === null ? null : toPlans(job.plan),
    questions: (job.plan?.questions ?? []).map(({ key, text, choices, code, values: sentValues }) => ({
      key,
      text,
      choices: [...choices],
      code: code as QuestionCode,
      values: { ...sentValues },
    })),
    answers: { ...answers },
    options: toOptions(settings),
    counts,
    continued_after: continuedAfter,
    rejections: rejections.map(({ reasons, ...rejection }) => ({
      ...rejection,
      reasons: reasons.map(({ code, values: sent }) => ({
        code: code as RejectionCode,
        values: { ...sent },
      })),
    })),
    notes: [...notes],
    undone:
      undone === null
        ? null
        : {
            ...undone.takenBack,
            removed: undone.removed,
            kept: undone.overwritten.values + undone.withoutStation.values,
          },
    error: problem && {
      ...problem,
      headings: [...problem.headings],
      reasons: problem.reasons.map(({ code, values: sent }) => ({
        code: code as NeedCode,
        values: { ...sent },
      })),
    },
    revision: job.revision,
  };
}

function toPlans({ plans, files, skipped }: PlannedImport) {
  return {
    files,
    plans: plans.map(({ plan: described, samples: rows }) => toPlanFields(described, rows)),
    skipped: [...skipped],
  };
}

function toPlanFields(described: DescribedPlan, rows: SampleRows | null): z.infer<typeof plan> {
  const { time, routineInterval, leftOut, columns, skipped, notes, ...others } = described;
  return {
    ...others,
    time: {
      headings: [...time.headings],
      formats: [...time.formats],
      zone: time.zone,
      interval: time.interval,
      whole_days: time.wholeDays,
    },
    reporting_interval: routineInterval,
    columns: [...columns],
    left_out: leftOut.map(({ reason, headings }) => ({ reason, headings: [...headings] })),
    skipped: [...skipped],
    notes: [...notes],
    first_rows:
      rows === null
        ? null
        : {
            times: rows.times.map(toIso),
            columns: rows.columns.map((column) => ({ ...column, values: [...column.values] })),
            rows_seen: rows.rowsSeen,
            problem: rows.problem,
            uncalibrated: rows.uncalibrated,
          },
  };
}

const toIso = (time: number) => new Date(time).toISOString();
