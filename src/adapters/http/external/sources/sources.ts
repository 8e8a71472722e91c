import { z } from 'zod';
import { AddSource } from '#application/sources/manage/add-source.js';
import { DismissGaps } from '#application/sources/manage/dismiss-gaps.js';
import { ListSources } from '#application/sources/manage/list-sources.js';
import { PauseSource } from '#application/sources/manage/pause-source.js';
import { RemoveSource } from '#application/sources/manage/remove-source.js';
import { sourceText, type SourceView } from '#application/sources/manage/source-view.js';
import { TestSource } from '#application/sources/manage/test-source.js';
import type { SourceKind } from '#application/ports/source-kind.js';
import { SourceKinds } from '#application/sources/source-kinds.js';
import { changedInMeantime } from '#domain/domain-error.js';
import { SETTING_NAMES } from '#domain/sources/source.js';
import { variableNamed } from '#domain/weather/variables.js';
import { type AnyEndpoint, contentEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { utcTimestamp } from '../../core/schemas.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { sentMapping } from '../uploads/upload-key-fields.js';
import { expectedText, versionedContent, versionedSuccess } from '../versions.js';

/** The names of the settings in the API, in the order of `SETTING_NAMES`. */
const SETTING_FIELDS = ['address', 'account', 'device', 'url', 'file_port'] as const;

/** The fields that a request writes. */
const writtenFields = {
  kind: z.string().describe('The kind of device or service: `weatherlink-live`'),
  station: z.string().describe('Id of the station that gets the values'),
  address: z
    .string()
    .nullable()
    .describe('Host, or host and port. For a device that sends by itself, the address to listen on'),
  account: z.string().nullable().describe('The station, MAC or device at the service'),
  device: z
    .string()
    .nullable()
    .describe('A serial number, the number of a transmitter, or a channel behind the address'),
  url: z.string().nullable().describe('A base URL in place of that of the service'),
  file_port: z.number().int().nullable().describe('The port from which the device serves its files'),
  every: z
    .number()
    .int()
    .nullable()
    .describe('Seconds between two requests; null for the reporting interval of the station'),
  mappings: z.array(sentMapping).describe('Fields of the reports that are stored as variables'),
};

/** The fields of a source that do not change while it is asked. */
const sourceSettingFields = z
  .strictObject({
    name: z.string(),
    ...writtenFields,
    station: z.string().nullable().describe('Id of the station that gets the values; null if it was removed'),
    allow_any_address: z
      .boolean()
      .describe('Whether a local device may have a public address, and a service a private one'),
    since: utcTimestamp().describe('Time at which the source was added'),
  })
  .meta({ id: 'SourceSettings' });

const sourceFields = sourceSettingFields
  .extend({
    paused: z.boolean(),
    reported_at: utcTimestamp().nullable().describe('Time of the newest report'),
    answered_at: utcTimestamp()
      .nullable()
      .describe('Time of the last answer. While nothing fails, it is updated only every minute'),
    silent_since: utcTimestamp().nullable().describe('Time of the first failure after the last answer'),
    reason: z.string().nullable().describe('Reason why the last request has failed'),
    gaps: z
      .array(
        z.strictObject({
          from: utcTimestamp().describe('Time of the last report before the gap'),
          to: utcTimestamp().describe('Time of the first report after the gap'),
          reason: z
            .string()
            .nullable()
            .describe('Why the gap is not filled; null while the service asks for its reports'),
        }),
      )
      .describe('The spans without reports that are not filled, the oldest first'),
  })
  .meta({ id: 'Source' });

function toSettings(source: SourceView): z.infer<typeof sourceSettingFields> {
  const { name, kind, station, settings, every, mappings, allowAnyAddress, since } = source;
  const { address = null, account = null, device = null, url = null, filePort = null } = settings;
  return {
    name,
    kind,
    station,
    address,
    account,
    device,
    url,
    file_port: filePort,
    every,
    mappings: mappings.map((one) => ({ ...one })),
    allow_any_address: allowAnyAddress,
    since: new Date(since).toISOString(),
  };
}

function toFields(source: SourceView): z.infer<typeof sourceFields> {
  const { paused, reportedAt, answeredAt, failingSince, reason, gaps } = source;
  return {
    ...toSettings(source),
    paused,
    reported_at: toIso(reportedAt),
    answered_at: toIso(answeredAt),
    silent_since: toIso(failingSince),
    reason,
    gaps: gaps.map(({ from, to, reason: open, problem }) => ({
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      reason: open ?? problem ?? null,
    })),
  };
}

const toIso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** The path parameter of routes for one source. */
const sourceName = z.strictObject({
  name: z.string().describe('Name of the source: 1 to 40 lower-case letters, digits and hyphens'),
});

const kindFields = z
  .strictObject({
    name: z.string(),
    title: z.string(),
    reach: z.enum(['local', 'public']).describe('Whether sources have private or public addresses'),
    shortest_interval: z.number().describe('The shortest time between two requests, in seconds'),
    settings: z
      .array(z.strictObject({ name: z.enum(SETTING_FIELDS), required: z.boolean() }))
      .describe('The settings that a source of this kind may have'),
    secrets: z.array(z.strictObject({ name: z.string(), required: z.boolean() })),
    fills_gaps: z.boolean().describe('Whether the kind can be asked for the past'),
  })
  .meta({ id: 'SourceKind' });

function toKind(kind: SourceKind): z.infer<typeof kindFields> {
  const { name, title, reach, shortestInterval, settings, secrets = {}, history } = kind;
  return {
    name,
    title,
    reach,
    shortest_interval: shortestInterval,
    settings: SETTING_NAMES.flatMap((setting, index) => {
      const required = settings[setting];
      const field = SETTING_FIELDS[index];
      return required === undefined || field === undefined ? [] : [{ name: field, required }];
    }),
    secrets: Object.entries(secrets).map(([secret, required]) => ({ name: secret, required })),
    fills_gaps: history !== undefined,
  };
}

const LIST_SOURCES_REPLY = z.strictObject({
  sources: z.array(sourceFields),
  kinds: z.array(kindFields).describe('The kinds of sources that can be added'),
});

export function listSourcesEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listSources = useCase(ListSources);
  const { list: kinds } = useCase(SourceKinds);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/sources',
    summary: 'List the sources',
    description:
      'Sources are devices and services that are asked for the values of a station. They are sorted by name, without their secrets.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    success: {
      kind: 'json',
      status: 200,
      message: 'Sources.',
      schema: LIST_SOURCES_REPLY,
    },
    errors: [],
    call: async () => ({
      sources: (await listSources.execute()).map(toFields),
      kinds: kinds.map(toKind),
    }),
  });
}

const THE_SOURCE = 'The source.';

const GET_SOURCE_SUCCESS = versionedSuccess(THE_SOURCE, z.strictObject({ source: sourceSettingFields }));

export function getSourceEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listSources = useCase(ListSources);
  return contentEndpoint({
    method: 'GET',
    path: '/v1/sources/{name}',
    summary: 'Show the settings of a source',
    description:
      'The reply has no secrets and no state. A request that replaces the source can send the ETag in If-Match.',
    access: ELEVATED_ADMINISTRATOR,
    isSecret: true,
    params: sourceName,
    success: GET_SOURCE_SUCCESS,
    errors: ['SOURCE_UNKNOWN'],
    call: async ({ params: { name } }) => {
      const source = await listSources.find(name);
      return versionedContent(THE_SOURCE, sourceText(source), { source: toSettings(source) });
    },
  });
}

const sentSource = z.strictObject({
  ...writtenFields,
  address: writtenFields.address.default(null),
  account: writtenFields.account.default(null),
  device: writtenFields.device.default(null),
  url: writtenFields.url.default(null),
  file_port: writtenFields.file_port.default(null),
  every: writtenFields.every.default(null),
  mappings: writtenFields.mappings.max(64).default([]),
  secrets: z
    .record(z.string(), z.string())
    .exactOptional()
    .describe('Tokens, keys and passwords by name; a replaced source without this field keeps its secrets'),
});

const PUT_SOURCE_REPLY = z.strictObject({ source: sourceFields });

export function putSourceEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const addSource = useCase(AddSource);
  const listSources = useCase(ListSources);
  return jsonEndpoint({
    method: 'PUT',
    path: '/v1/sources/{name}',
    summary: 'Create or replace a source',
    description:
      'The source is asked once before. If it gives no report, nothing is stored, and the error has the reason. A local device must have ' +
      'a private address and a service a public one; only the command line permits others. If-Match needs the ETag of ' +
      '`GET /v1/sources/{name}`.',
    access: ELEVATED_ADMINISTRATOR,
    conditional: true,
    isSecret: true,
    params: sourceName,
    body: {
      kind: 'json',
      schema: sentSource,
      example: { kind: 'weatherlink-live', station: 'JFK', address: '192.168.1.40' },
      limit: 32_768,
    },
    success: {
      kind: 'json',
      status: 200,
      message: 'Stored.',
      schema: PUT_SOURCE_REPLY,
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN', 'SOURCE_FAILED'],
    call: async ({ params: { name }, body, caller, conditions }) => {
      const { kind, station, every, mappings, secrets } = body;
      const settings = Object.fromEntries(
        Object.entries({
          address: body.address,
          account: body.account,
          device: body.device,
          url: body.url,
          filePort: body.file_port,
        }).filter(([, value]) => value !== null),
      );
      const current = async () => sourceText(await listSources.find(name));
      const changed = () => changedInMeantime('source', name);
      const expected = await expectedText(conditions, current, 'SOURCE_UNKNOWN', changed);
      const input = { name, kind, station, settings, every, mappings, secrets, allowAnyAddress: false };
      const source = await addSource.execute(input, caller, { replaces: true, expected });
      return { source: toFields(source) };
    },
  });
}

export const pauseSourceEndpoint = (context: ExternalContext): AnyEndpoint =>
  pausing(context, true, {
    path: '/v1/sources/{name}/pause',
    operationId: 'pauseSource',
    summary: 'Pause a source',
    description: 'The source is not asked until it is resumed.',
  });

export const resumeSourceEndpoint = (context: ExternalContext): AnyEndpoint =>
  pausing(context, false, {
    path: '/v1/sources/{name}/resume',
    operationId: 'resumeSource',
    summary: 'Resume a source',
    description: 'The source is asked again. The time of the pause is a gap.',
  });

function pausing(
  { useCase }: ExternalContext,
  paused: boolean,
  described: { path: string; operationId: string; summary: string; description: string },
): AnyEndpoint {
  const pauseSource = useCase(PauseSource);
  return jsonEndpoint({
    method: 'POST',
    ...described,
    access: ELEVATED_ADMINISTRATOR,
    params: sourceName,
    success: { kind: 'json', status: 200, message: 'Done.', schema: z.strictObject({}) },
    errors: ['SOURCE_UNKNOWN'],
    call: async ({ params: { name }, caller }) => {
      await pauseSource.execute(name, paused, caller);
      return {};
    },
  });
}

const testedReport = z.strictObject({
  time: utcTimestamp(),
  values: z
    .array(
      z.strictObject({
        variable: z.string(),
        value: z.number(),
        unit: z.string(),
        counter: z.boolean().describe('Whether the field is a counter, whose increase would be stored'),
      }),
    )
    .describe('What would be stored'),
  counters: z
    .array(z.strictObject({ gauge: z.string(), period: z.string(), amount: z.number() }))
    .describe('Rain counters in mm, whose increase would be stored'),
  fields: z
    .array(
      z.strictObject({
        name: z.string(),
        value: z.union([z.number(), z.string()]),
        unit: z.string().nullable(),
      }),
    )
    .describe('Fields that no mapping stores'),
});

const TEST_SOURCE_REPLY = z.strictObject({ reports: z.array(testedReport) });

export function testSourceEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const testSource = useCase(TestSource);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/sources/{name}/test',
    operationId: 'testSource',
    summary: 'Test a source',
    description: 'Asks the source once and waits up to 60 s for its answer. Nothing is stored.',
    access: ELEVATED_ADMINISTRATOR,
    params: sourceName,
    success: {
      kind: 'json',
      status: 200,
      message: 'Asked.',
      schema: TEST_SOURCE_REPLY,
    },
    errors: ['REQUEST_INVALID', 'SOURCE_UNKNOWN', 'SOURCE_FAILED'],
    call: async ({ params: { name } }) => {
      const reports = await testSource.execute(name, new AbortController().signal);
      return {
        reports: reports.map(({ time, readings, counters, unmapped }) => ({
          time: new Date(time).toISOString(),
          values: readings.map(({ variable, value, unit, counter = false }) => ({
            variable,
            value,
            unit: unit ?? variableNamed(variable)?.unit ?? '',
            counter,
          })),
          counters: counters.map((counter) => ({ ...counter })),
          fields: unmapped.map(({ name: field, value, unit = null }) => ({ name: field, value, unit })),
        })),
      };
    },
  });
}

const DISMISS_GAPS_REPLY = z.strictObject({
  dismissed: z.int().nonnegative().describe('Number of dismissed gaps'),
});

export function dismissGapsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const dismissGaps = useCase(DismissGaps);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/sources/{name}/gaps',
    operationId: 'dismissGaps',
    summary: 'Dismiss the gaps of a source',
    description: 'The gaps that the source has now are no longer listed, and no longer asked for.',
    access: ELEVATED_ADMINISTRATOR,
    params: sourceName,
    success: {
      kind: 'json',
      status: 200,
      message: 'Dismissed.',
      schema: DISMISS_GAPS_REPLY,
    },
    errors: ['SOURCE_UNKNOWN'],
    call: async ({ params: { name }, caller }) => ({ dismissed: await dismissGaps.execute(name, caller) }),
  });
}

export function deleteSourceEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const removeSource = useCase(RemoveSource);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/sources/{name}',
    summary: 'Remove a source',
    description: 'Its secrets are removed too. The rows that it has stored stay.',
    access: ELEVATED_ADMINISTRATOR,
    params: sourceName,
    success: { kind: 'json', status: 200, message: 'Removed.', schema: z.strictObject({}) },
    errors: ['SOURCE_UNKNOWN'],
    call: async ({ params: { name }, caller }) => {
      await removeSource.execute(name, caller);
      return {};
    },
  });
}
