import { z } from 'zod';
import { ManageImports } from '#application/observations/imports/manage-imports.js';
import { StreamSlots } from '#application/observations/live/stream-slots.js';
import type { ImportJob } from '#application/ports/import-service.js';
import { MILLISECONDS } from '#domain/time.js';
import { type AnyEndpoint, eventsEndpoint, jsonEndpoint, uploadEndpoint } from '../../core/endpoint.js';
import type { EventFeed } from '../../core/reply/event-body.js';
import { eventText, keepAliveText, openingText } from '../../core/reply/event-stream.js';
import { ADMINISTRATOR, ELEVATED_ADMINISTRATOR } from '../access.js';
import type { ExternalContext } from '../external-context.js';
import { clientNetworkOf } from '../read-permits.js';
import { importFields, listedImport, toImportFields, toListedImport } from './import-fields.js';
import { importOptions, toSettings } from './import-options.js';

/** Longest time in which a file may arrive. */
const MAX_UPLOAD_TIME = MILLISECONDS.hour;
/** Largest body with answers and options, in bytes. */
const ANSWERS_LIMIT = 131_072;

const importId = z.strictObject({
  id: z.string().max(64).describe('Id of the import. The number of an earlier import is accepted too'),
});

const oneImport = z.strictObject({ import: importFields });
const shown = (job: ImportJob) => ({ import: toImportFields(job) });

const POST_IMPORT_QUERY = z.strictObject({
  station: z.string().describe('Id of the station of all rows'),
  filename: z
    .string()
    .max(1000)
    .describe('Name of the file. Some import formats are recognized by it. Folders are ignored'),
});

const POST_IMPORT_REPLY = z.strictObject({ import: z.string().describe('Id of the import') });

export function postImportEndpoint({ useCase, importLimit }: ExternalContext): AnyEndpoint {
  const imports = useCase(ManageImports);
  return uploadEndpoint({
    method: 'POST',
    path: '/v1/imports',
    summary: 'Import a file',
    description:
      'The body is the bytes of a file in an import format, of a text table or of METARs; also compressed with gzip, or in a zip archive. ' +
      'The content type does not matter. Nothing is written yet: `GET /v1/imports/{id}` shows how the file is read and asks what it does ' +
      'not say, and `PUT /v1/imports/{id}/answers` confirms it. Only this request needs an elevated token. The service imports one file at a ' +
      'time, and removes the file an hour after the last request that changes the import.',
    access: ELEVATED_ADMINISTRATOR,
    query: POST_IMPORT_QUERY,
    body: {
      kind: 'stream',
      mediaType: 'application/octet-stream',
      anyType: true,
      limit: importLimit,
      duration: MAX_UPLOAD_TIME,
    },
    success: {
      kind: 'json',
      status: 202,
      message: 'Received.',
      schema: POST_IMPORT_REPLY,
    },
    errors: ['REQUEST_INVALID', 'STATION_UNKNOWN', 'IMPORT_RUNNING', 'DISK_FULL'],
    call: async ({ query: { station, filename }, body, caller }) => {
      const { id } = await imports.receive({ station, name: filename, bytes: body }, caller);
      return { import: id };
    },
  });
}

const LIST_IMPORTS_REPLY = z.strictObject({
  imports: z.array(listedImport),
  formats: z
    .array(z.strictObject({ name: z.string(), title: z.string() }))
    .describe('The import formats, for the option `preset`'),
});

export function listImportsEndpoint({ useCase, importFormats }: ExternalContext): AnyEndpoint {
  const imports = useCase(ManageImports);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/imports',
    summary: 'List the imports',
    description: 'The newest 100 imports, with those of the command line, newest first.',
    access: ADMINISTRATOR,
    success: {
      kind: 'json',
      status: 200,
      message: 'Imports.',
      schema: LIST_IMPORTS_REPLY,
    },
    errors: [],
    call: async () => ({
      imports: (await imports.list()).map(toListedImport),
      formats: importFormats.map(({ name, title }) => ({ name, title })),
    }),
  });
}

export function getImportEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const imports = useCase(ManageImports);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/imports/{id}',
    summary: 'Get an import',
    description: 'How the file is read, open questions, progress, counts and rejected rows.',
    access: ADMINISTRATOR,
    isSecret: true,
    params: importId,
    success: { kind: 'json', status: 200, message: 'Import.', schema: oneImport },
    errors: ['IMPORT_UNKNOWN', 'IMPORT_ELSEWHERE'],
    call: async ({ params: { id } }) => shown(await imports.find(id)),
  });
}

const PUT_IMPORT_ANSWERS_BODY = z.strictObject({
  answers: z
    .record(z.string().max(300), z.string().max(200))
    .exactOptional()
    .describe('Choices by the key of their question'),
  options: importOptions.exactOptional(),
  confirm: z.boolean().exactOptional().describe('Whether the rows are written if no question is open'),
});

export function putImportAnswersEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const imports = useCase(ManageImports);
  return jsonEndpoint({
    method: 'PUT',
    path: '/v1/imports/{id}/answers',
    operationId: 'putImportAnswers',
    isSecret: true,
    summary: 'Answer the questions of an import, and confirm it',
    description:
      'The file is planned again with the answers and options. With `confirm` and without an open question, its rows are then written. ' +
      '`options` are the options of `weatherd import`, with `_` in place of `-`, and replace all earlier options; answers are added to ' +
      'earlier answers. A failed import whose file is kept can be confirmed again, and continues after the last stored row.',
    access: ADMINISTRATOR,
    params: importId,
    body: {
      kind: 'json',
      schema: PUT_IMPORT_ANSWERS_BODY,
      example: { answers: { 'unit:temperature': '°F' }, confirm: true },
      limit: ANSWERS_LIMIT,
    },
    success: { kind: 'json', status: 200, message: 'Accepted.', schema: oneImport },
    errors: ['REQUEST_INVALID', 'IMPORT_UNKNOWN', 'IMPORT_ELSEWHERE', 'IMPORT_RUNNING', 'IMPORT_STATE'],
    call: async ({ params: { id }, body: { answers = {}, options, confirm = false } }) =>
      shown(
        await imports.answer(id, {
          answers,
          settings: options && toSettings(options),
          isConfirmed: confirm,
        }),
      ),
  });
}

export function undoImportEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const imports = useCase(ManageImports);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/imports/{id}/undo',
    operationId: 'undoImport',
    isSecret: true,
    summary: 'Undo an import',
    description:
      'Changed values get their values from before the import, and rows that it added are removed. Values that were overwritten later are ' +
      'kept. An import that is still writing is stopped first. Works for imports of the command line too, for 30 days.',
    access: ELEVATED_ADMINISTRATOR,
    params: importId,
    success: { kind: 'json', status: 202, message: 'Begun.', schema: oneImport },
    errors: ['IMPORT_UNKNOWN', 'IMPORT_ELSEWHERE', 'IMPORT_STATE'],
    call: async ({ params: { id }, caller }) => shown(await imports.undo(id, caller)),
  });
}

export function deleteImportEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const imports = useCase(ManageImports);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/imports/{id}',
    summary: 'Give up an import',
    description: 'Removes the file of an import that is not writing. Rows that were written stay.',
    access: ADMINISTRATOR,
    params: importId,
    success: { kind: 'json', status: 200, message: 'Removed.', schema: z.strictObject({}) },
    errors: ['IMPORT_UNKNOWN', 'IMPORT_ELSEWHERE', 'IMPORT_STATE'],
    call: async ({ params: { id } }) => {
      await imports.discard(id);
      return {};
    },
  });
}

/** Number of seconds after which a stream ends. The client resumes it with a valid token. */
const MAX_STREAM_TIME = 900;
/** Number of seconds without a change after which a stream sends a comment. */
const QUIET = 15;

const EXAMPLE =
  'retry: 3000\nid: 1\n\nevent: import\n' +
  'data: {"state":"writing","number":7,"progress":{"bytes":52000,"total":310000,"line":8192},"rejected":0,"checked":0.2,"error":null,"revision":3}\n\n';

export function getImportEventsEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const imports = useCase(ManageImports);
  const slots = useCase(StreamSlots);
  return eventsEndpoint({
    method: 'GET',
    path: '/v1/imports/{id}/events',
    operationId: 'getImportEvents',
    summary: 'Follow an import',
    description:
      'A stream of server-sent events. Each change of the state or of the progress gives an event `import`, at most one each second. The ' +
      'stream ends when the import is gone, and after 15 minutes.',
    access: ADMINISTRATOR,
    params: importId,
    success: { kind: 'events', status: 200, description: 'The stream of events.', example: EXAMPLE },
    errors: ['IMPORT_UNKNOWN', 'IMPORT_ELSEWHERE', 'RATE_LIMITED', 'SERVICE_UNAVAILABLE'],
    call: async (call) => {
      const { id } = call.params;
      await imports.find(id);
      return feedOf(imports, id, () => slots.acquire(clientNetworkOf(call)));
    },
  });
}

/** Writes the changes of an import. @param acquire takes a place among the streams, and returns a function that releases it */
function feedOf(imports: ManageImports, id: string, acquire: () => () => void): EventFeed {
  return {
    open: (sink) => {
      const release = acquire();
      let [last, looks, quiet, isReady] = ['', 0, 0, sink.write(Buffer.from(openingText('1')))];
      const look = (job: ImportJob) => {
        looks += 1;
        quiet += 1;
        const data = JSON.stringify(changeOf(job));
        // A client that does not read gets only the newest change when it reads again.
        if (isReady && data !== last) {
          last = data;
          quiet = 0;
          isReady = sink.write(Buffer.from(eventText({ event: 'import', data })));
        } else if (isReady && quiet >= QUIET) {
          quiet = 0;
          isReady = sink.write(Buffer.from(keepAliveText(undefined)));
        }
        if (looks >= MAX_STREAM_TIME) end();
      };
      const end = imports.follow(id, look, () => {
        release();
        sink.end();
      });
      return {
        pull: () => {
          isReady = true;
        },
        close: end,
      };
    },
  };
}

function changeOf(job: ImportJob) {
  const fields = toImportFields({ ...job, plan: null, rejections: [] });
  const { state, number, progress, counts, checked, error, revision } = fields;
  return { state, number, progress, rejected: counts?.rejected ?? 0, checked, error, revision };
}
