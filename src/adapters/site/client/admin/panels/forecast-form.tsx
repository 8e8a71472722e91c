import { useRef } from 'preact/hooks';
import type { Reply } from '../../api.js';
import { useSite } from '../../site-context.js';
import { adminRequest } from '../admin-request.js';
import { useSave, type Version, versionOf } from '../conflict.js';
import { FormEnd, FormField, formValues, InputFault } from '../form.js';
import { StationsField } from '../station-select.js';
import { usePanelsText } from './text.js';

type Stored = Reply<'/v1/forecasts/{id}', 'get'>['forecast'];

export function readOrder(station: string): Promise<Response> {
  return adminRequest((api) => api.response('/v1/forecasts/{id}', { path: { id: station } }));
}

export const toOrder = ({ forecast }: { readonly forecast: Stored }) => forecast;

/** Returns a function that names a provider in the language of the page. */
export function useProviderTitle(providers: Reply<'/v1/forecasts', 'get'>['providers'] = []) {
  const { forecast } = useSite().text;
  return (provider: unknown): string => {
    const found = providers.find(({ name }) => name === provider);
    return found?.simulated ? forecast.simulated : (found?.title ?? String(provider));
  };
}

const toBody = ({ provider }: Stored) => ({ provider });

/** The form that orders forecasts for stations, or changes the provider of a station. */
export function ForecastForm({
  forecasts,
  providers,
  existing: stored,
  onSaved,
  onCancel,
}: Reply<'/v1/forecasts', 'get'> & {
  readonly existing: Version<Stored> | undefined;
  readonly onSaved: () => void;
  readonly onCancel: () => void;
}) {
  const { forecasts: text } = usePanelsText();
  /** The stations that were ordered before one was refused. */
  const ordered = useRef(new Set<string>());
  const titleOf = useProviderTitle(providers);
  const { run, save, isBusy, fault, faults, dialog } = useSave<{ readonly provider: string }>({
    fields: ['stations', 'provider'],
    read: async (station) => versionOf(await readOrder(station), (json) => toBody(toOrder(json))),
    put: (id, body, header) =>
      adminRequest((api) => api.put('/v1/forecasts/{id}', { path: { id }, body, header })),
    exists: (station) => `body.stations: ${text.exists(station)}`,
    label: () => text.fields.provider,
    show: titleOf,
    onSaved: (station) => (stored === undefined ? ordered.current.add(station) : onSaved()),
  });
  const submit = (event: SubmitEvent) => {
    const { stations = '', provider = '' } = formValues(event);
    void run(async () => {
      if (stored !== undefined)
        return await save(stored.body.station, { provider }, { ...stored, body: toBody(stored.body) });
      const ids = stations.split(/[\s,]+/).filter((id) => id !== '');
      if (ids.length === 0) throw new InputFault(`body.stations: ${text.noStation}`);
      for (const id of ids.filter((one) => !ordered.current.has(one)))
        // oxlint-disable-next-line no-await-in-loop -- after a refusal, no further station is ordered
        await save(id, { provider }, undefined);
      onSaved();
    });
  };
  // The demo orders simulated forecasts for its stations. No other station can have them.
  const offered = providers.filter(
    ({ name, simulated }) => !simulated || forecasts.some(({ provider }) => provider === name),
  );
  return (
    <>
      <form method="post" class="editor" onSubmit={submit}>
        <h3>{stored === undefined ? text.add : text.changeOf(stored.body.station)}</h3>
        {stored === undefined && (
          <StationsField
            label={text.fields.stations}
            hint={text.stationsHint}
            fault={faults['stations']}
            initial={[]}
            without={forecasts.map(({ station }) => station)}
          />
        )}
        <FormField
          name="provider"
          label={text.fields.provider}
          defaultValue={stored?.body.provider ?? offered[0]?.name ?? ''}
          choices={offered.filter((one) => one.fault === null).map(({ name }) => [name, titleOf(name)])}
          hint={text.position}
          fault={faults['provider']}
        />
        {offered.map((one) => one.fault !== null && <p class="quiet">{one.fault}</p>)}
        <FormEnd
          fault={fault}
          isBusy={isBusy}
          onCancel={() => (ordered.current.size > 0 ? onSaved() : onCancel())}
        />
      </form>
      {dialog}
    </>
  );
}
