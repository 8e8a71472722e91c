import { z } from 'zod';
import { AddOverride } from '#application/observations/overrides/add-override.js';
import { ListOverrides } from '#application/observations/overrides/list-overrides.js';
import { RemoveOverride } from '#application/observations/overrides/remove-override.js';
import { type QualityOverride, OVERRIDE_VERDICTS } from '#domain/weather/quality/override.js';
import { variableNumbered } from '#domain/weather/variables.js';
import { type AnyEndpoint, jsonEndpoint } from '../../core/endpoint.js';
import { utcTimestamp } from '../../core/schemas.js';
import { ELEVATED_ADMINISTRATOR } from '../access.js';
import { unicodeText } from '../accounts/password.js';
import type { ExternalContext } from '../external-context.js';
import { FROM, stationId, time, TO } from '../observations/weather-query.js';

const verdictField = z
  .enum(OVERRIDE_VERDICTS)
  .describe(
    '`bad`: the values get the verdict `fail`, with the check `overruled`. `good`: they get the verdict `pass`',
  );

const overrideFields = z
  .strictObject({
    id: z.string(),
    variable: z.string(),
    from: utcTimestamp(),
    to: utcTimestamp().describe('End of the time range, not included'),
    verdict: verdictField,
    reason: z.string(),
    made_by: z
      .string()
      .nullable()
      .describe(
        'Name of the user, `command line`, or the import whose values failed a check of their source: `import 12`',
      ),
    made_at: utcTimestamp(),
  })
  .meta({ id: 'Overrule' });

function toOverrideFields(override: QualityOverride): z.infer<typeof overrideFields> {
  const { id, variable, from, to, verdict, reason, madeBy, madeAt } = override;
  return {
    id,
    variable: variableNumbered(variable).name,
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    verdict,
    reason,
    made_by: madeBy,
    made_at: new Date(madeAt).toISOString(),
  };
}

const LIST_OVERRIDES_REPLY = z.strictObject({ overrules: z.array(overrideFields) });

export function listOverridesEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const listOverrides = useCase(ListOverrides);
  return jsonEndpoint({
    method: 'GET',
    path: '/v1/stations/{id}/overrules',
    summary: 'List the quality overrides of a station',
    description:
      'The quality overrides are sorted by creation. If several apply to a value, the last one counts; one of a person counts before those of imports.',
    access: ELEVATED_ADMINISTRATOR,
    params: stationId,
    success: {
      kind: 'json',
      status: 200,
      message: 'Overrules.',
      schema: LIST_OVERRIDES_REPLY,
    },
    errors: ['STATION_UNKNOWN'],
    call: async ({ params: { id } }) => ({
      overrules: (await listOverrides.execute(id)).map(toOverrideFields),
    }),
  });
}

const POST_OVERRIDE_BODY = z.strictObject({
  variable: z.string(),
  from: time().describe(FROM),
  to: time().describe(TO),
  verdict: verdictField,
  reason: unicodeText(),
});

const POST_OVERRIDE_REPLY = z.strictObject({ overrule: overrideFields });

export function postOverrideEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const addOverride = useCase(AddOverride);
  return jsonEndpoint({
    method: 'POST',
    path: '/v1/stations/{id}/overrules',
    operationId: 'addOverrule',
    summary: 'Mark values as bad or as good',
    description:
      'Creates a quality override: it replaces the verdict of quality control for the values of a variable from `from` (included) to ' +
      '`to` (not included), also for values that are written later. The values themselves do not change. Removing the quality ' +
      'override undoes it.',
    access: ELEVATED_ADMINISTRATOR,
    params: stationId,
    body: {
      kind: 'json',
      schema: POST_OVERRIDE_BODY,
      example: {
        variable: 'relative_humidity',
        from: '2017-11-18T00:00:00Z',
        to: '2017-12-31T00:00:00Z',
        verdict: 'bad',
        reason: 'Sensor broken.',
      },
      limit: 8192,
    },
    success: {
      kind: 'json',
      status: 201,
      message: 'The values are marked.',
      schema: POST_OVERRIDE_REPLY,
    },
    errors: ['STATION_UNKNOWN', 'REQUEST_INVALID', 'DATA_DAMAGED'],
    call: async ({ params: { id }, body, caller }) => ({
      overrule: toOverrideFields(await addOverride.execute(id, body, caller)),
    }),
  });
}

export function deleteOverrideEndpoint({ useCase }: ExternalContext): AnyEndpoint {
  const removeOverride = useCase(RemoveOverride);
  return jsonEndpoint({
    method: 'DELETE',
    path: '/v1/stations/{id}/overrules/{overrule}',
    summary: 'Remove a quality override',
    description: 'The values get the verdicts of quality control again.',
    access: ELEVATED_ADMINISTRATOR,
    params: stationId.extend({ overrule: z.string().max(64).describe('Id of the quality override') }),
    success: { kind: 'json', status: 200, message: 'Removed.', schema: z.strictObject({}) },
    errors: ['STATION_UNKNOWN', 'OVERRULE_UNKNOWN'],
    call: async ({ params: { id, overrule }, caller }) => {
      await removeOverride.execute(id, overrule, caller);
      return {};
    },
  });
}
