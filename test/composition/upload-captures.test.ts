import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { PutStations } from '#application/stations/put-stations.js';
import { AddUploadKey } from '#application/uploads/keys/add-upload-key.js';
import { ListPendingUploads } from '#application/uploads/pending/list-pending-uploads.js';
import type { Service } from '#composition/service.js';
import { ALL, type Capture, KEY } from '../adapters/uploads/captures.js';
import { MALFORMED } from '../adapters/uploads/malformed.js';
import { Place } from '../support/place.js';
import { STATION } from '../support/weather-world.js';
import { CALLER } from '../support/world.js';

/** A capture of another sender: with this station id and this key, in years that have passed. */
function from(station: string, key: string, { text }: Pick<Capture, 'text'>): string {
  const changed = text
    .replaceAll(KEY, key)
    .replace(/\b(ID|siteid|wsid)=[^&\s]+/, `$1=${station}`)
    .replace(/\b(PASSWORD|siteAuthenticationKey|wspw|appid)=[^&\s]+/, `$1=${key}`)
    .replace(/"(siteid|station_id)":"[^"]+"/g, `"$1":"${station}"`)
    .replace(/"siteAuthenticationKey":"[^"]+"/, `"siteAuthenticationKey":"${key}"`)
    .replaceAll('2026-', '2020-')
    .replaceAll('17952', '15952');
  const [head = '', body = ''] = changed.split('\r\n\r\n');
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return `${head.replace(/^Content-Length: .*$/m, length)}\r\n\r\n${body}`;
}

describe('captures of uploads, from the socket to the store', () => {
  let place: Place;
  let service: Service;
  let garden: string;
  let barn: string;
  beforeEach(async () => {
    place = await Place.make('sqlite');
    service = await place.serve({ WEATHERD_UPLOADS_ENABLED: 'true', WEATHERD_UPLOADS_PORT: '0' });
    const { useCase } = service.application;
    const stations = ['orchard', 'barn'].map((id) => ({ ...STATION, id, identifiers: {} }));
    await useCase(PutStations).execute(stations, CALLER);
    const add = async (station: string) => (await useCase(AddUploadKey).execute({ station }, CALLER)).secret;
    [garden, barn] = [await add('orchard'), await add('barn')];
  });
  afterEach(async () => {
    await service.stop();
    await place.remove();
  });

  const send = async (text: string): Promise<number> => {
    const socket = connect(Number(new URL(service.uploadsUrl ?? '').port), '127.0.0.1');
    let reply = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (reply += chunk));
    socket.end(text);
    await once(socket, 'close');
    return Number(/^HTTP\/1\.1 (\d+)/.exec(reply)?.[1]);
  };
  /** The names of the variables of the newest values of a station. */
  const latest = async (id: string): Promise<readonly string[]> => {
    const response = await fetch(`${service.externalUrl}/v1/stations/${id}/observations/latest`);
    return Object.keys(((await response.json()) as { latest: object }).latest);
  };
  const pending = async () => (await service.application.useCase(ListPendingUploads).execute()).length;
  const captures = ALL.filter(({ title }) => !/eingabe|AcuRite bridge/.test(title));

  it('are stored for the station of the key, and for no other', async () => {
    expect(await latest('orchard')).to.deep.equal([]);
    for (const capture of captures)
      expect(await send(from('orchard', garden, capture)), capture.title).to.be.oneOf([200, 204]);
    expect(await latest('orchard')).to.include.members([
      'air_temperature',
      'relative_humidity',
      'dew_point_temperature',
      'surface_air_pressure',
      'air_pressure_at_mean_sea_level',
      'wind_speed',
      'wind_from_direction',
      'wind_speed_of_gust',
      'wind_gust_from_direction',
      'rainfall_rate',
      'surface_downwelling_shortwave_flux_in_air',
      'ultraviolet_index',
      'visibility_in_air',
      'mass_concentration_of_pm2p5_ambient_aerosol_particles_in_air',
      'mass_concentration_of_pm10_ambient_aerosol_particles_in_air',
    ]);
    expect(await latest('barn')).to.deep.equal([]);
    expect(await pending()).to.equal(0);
  });

  it('are refused with a wrong key', async () => {
    for (const capture of captures) {
      const hasId = /\b(?:ID|siteid|wsid)=|"(?:siteid|station_id)"/.test(capture.text);
      // The key of the other station is right where nothing but the key names a station.
      const key = hasId ? barn : 'n'.repeat(26);
      const status = await send(from('orchard', key, capture));
      expect(status, capture.title).to.equal(/siteid/.test(capture.text) ? 403 : 401);
    }
    expect([await latest('orchard'), await latest('barn')]).to.deep.equal([[], []]);
    // They are listed, so that the owner sees the reason, but cannot be approved, and their keys are nowhere.
    const listed = await service.application.useCase(ListPendingUploads).execute();
    expect(listed.length).to.be.above(3);
    expect(listed.filter(({ isWrongKey, canBeApproved }) => !isWrongKey || canBeApproved)).to.deep.equal([]);
    expect(JSON.stringify(listed)).not.to.include(barn).and.not.to.include('nnnn');
  });

  it('of unknown senders are answered like others, and wait', async () => {
    for (const { text } of [...ALL, ...MALFORMED].filter(({ text: sent }) =>
      /\bID=|siteid=|wsid=|\bid=/.test(sent),
    ))
      expect(await send(text.replaceAll('2026-', '2020-'))).to.equal(200);
    expect(await pending()).to.be.above(3);
    expect([await latest('orchard'), await latest('barn')]).to.deep.equal([[], []]);
  });
});
