import { expect } from 'chai';
import { PutStations } from '#application/stations/put-stations.js';
import { COMMAND_LINE } from '#domain/accounts/audit-event.js';
import { Place } from '../support/place.js';
import { STATION } from '../support/weather-world.js';

describe('WEATHERD_FEELS_LIKE', () => {
  it('chooses the quantity that the running service shows as what the air feels like', async () => {
    const place = await Place.ready('sqlite');
    const service = await place.serve({ WEATHERD_FEELS_LIKE: 'wind_chill_or_humidex' });
    await service.application.useCase(PutStations).execute([STATION], COMMAND_LINE);
    const reply = await fetch(`${service.externalUrl}/v1/stations/JFK/derived?variables=feels_like`);
    const { formulas } = (await reply.json()) as { formulas?: { feels_like?: { quantity?: string } } };
    expect(formulas?.feels_like?.quantity).to.equal('wind_chill_or_humidex');
    await service.stop();
    await place.remove();
  });
});
