import { expect } from 'chai';
import { cwop, passcodeOf } from '#adapters/target-kinds/cwop.js';
import { SENDING_STATION, startLines, TargetBench, weatherOf } from '../../support/target-bench.js';
import { startAprs } from '../../support/targets/aprs.js';

const RAIN = { hour: 0.254, day: 1.016, twentyFourHours: 1.524 };
const ROW = {
  air_temperature: 3.4,
  relative_humidity: 81,
  // The altimeter setting of 1008.2 hPa at 20 m.
  surface_air_pressure: 1006.12,
  wind_speed: 2.1,
  wind_speed_of_gust: 4,
  wind_from_direction: 214,
  surface_downwelling_shortwave_flux_in_air: 3,
};
const GOLDEN =
  'DW1234>APRS,TCPIP*:@230600z5954.60N/01045.00E_214/005g009t038r001p006P004b10082h81L003.weatherd-1.0';

type Row = Readonly<Record<string, number>>;

describe('CWOP', () => {
  let service: Awaited<ReturnType<typeof startLines>>;
  afterEach(() => service.stop());

  async function sent(values: Row, options: Parameters<typeof weatherOf>[1] = {}, account = 'DW1234') {
    const server = await startAprs();
    service = server;
    const bench = new TargetBench(cwop);
    const outcome = await bench.send({ account, url: service.url }, weatherOf(values, options));
    await server.ended();
    service.stop();
    return { outcome, lines: service.lines, shown: bench.shown };
  }
  /** The part of the packet from the wind on. */
  const packet = async (values: Row, options: Parameters<typeof weatherOf>[1] = {}) =>
    (await sent(values, options)).lines[1]?.replace(/^.*[EW]_(.*)\.weatherd-1\.0$/, '$1');

  it('gets the login and the packet, each as a line', async () => {
    const { outcome, lines, shown } = await sent(ROW, { rain: RAIN });
    expect(outcome).to.equal('delivered');
    expect(lines).to.deep.equal(['user DW1234 pass -1 vers weatherd 1.0', GOLDEN]);
    expect(shown[0]?.sent).to.contain(GOLDEN);
    expect(shown[0]?.received).to.contain('# logresp DW1234 unverified');
  });

  it('gets the position of any station, and minutes that are rounded up to a degree', async () => {
    for (const [latitude, longitude, text] of [
      [-33.8688, -70.65, '3352.13S/07039.00W'],
      [0, 0, '0000.00N/00000.00E'],
      [59.99999, 179.99999, '6000.00N/18000.00E'],
      [5.01, -5.01, '0500.60N/00500.60W'],
    ] as const) {
      const station = { ...SENDING_STATION, latitude, longitude };
      expect((await sent(ROW, { station })).lines[1]).to.contain(`z${text}_`);
    }
  });

  const cases: readonly (readonly [what: string, values: Row, text: string])[] = [
    ['unknown values', { relative_humidity: 50 }, '.../...g...t...h50'],
    [
      'a temperature that is rounded to the nearest degree below zero',
      { air_temperature: -20.2 },
      '.../...g...t-04',
    ],
    ['a temperature just below zero', { air_temperature: -17.9 }, '.../...g...t000'],
    ['a temperature of one digit below zero', { air_temperature: -18.4 }, '.../...g...t-01'],
    ['a temperature that has no room', { air_temperature: -79, relative_humidity: 7 }, '.../...g...t...h07'],
    ['humidity of 100 %', { relative_humidity: 100 }, '.../...g...t...h00'],
    ['humidity that is rounded to 100 %', { relative_humidity: 99.6 }, '.../...g...t...h00'],
    ['humidity of 0 %', { relative_humidity: 0 }, '.../...g...t...h01'],
    ['radiation of 999 W/m²', { surface_downwelling_shortwave_flux_in_air: 999.4 }, '.../...g...t...L999'],
    ['radiation of 1000 W/m²', { surface_downwelling_shortwave_flux_in_air: 999.5 }, '.../...g...t...l000'],
    ['radiation above 1000 W/m²', { surface_downwelling_shortwave_flux_in_air: 1234 }, '.../...g...t...l234'],
    ['radiation below zero', { surface_downwelling_shortwave_flux_in_air: -3 }, '.../...g...t...L000'],
    ['wind from the north', { wind_from_direction: 0, wind_speed: 10 }, '360/022g...t...'],
    ['a calm', { wind_from_direction: 0, wind_speed: 0 }, '000/000g...t...'],
    // The pressure at sea level is no altimeter setting.
    ['no station pressure', { air_temperature: 20, air_pressure_at_mean_sea_level: 1008 }, '.../...g...t068'],
  ];
  for (const [what, values, text] of cases)
    it(`gets ${what} as ${text}`, async () => {
      expect(await packet(values)).to.equal(text);
    });

  it('gets no sum of rain that has no room, and no pressure of a station without a height', async () => {
    const rain = { hour: 0, day: 300, twentyFourHours: 253.7 };
    const station = { ...SENDING_STATION, elevation: null };
    expect(await packet({ air_temperature: 20, surface_air_pressure: 1000 }, { rain, station })).to.equal(
      '.../...g...t068r000p999',
    );
  });

  it('skips a row that has nothing for it, and connects to no server', async () => {
    const { outcome, lines } = await sent({ soil_temperature: 3 });
    expect(outcome).to.deep.equal({ failed: 'The row has no value that CWOP takes.', permanent: true });
    expect(lines).to.deep.equal([]);
  });

  it('gets the passcode of a licensed amateur, which is never shown', async () => {
    const server = await startAprs();
    service = server;
    const bench = new TargetBench(cwop);
    const amateur = { account: 'n0call', secret: '13023', url: service.url };
    expect(await bench.send(amateur, weatherOf(ROW))).to.equal('delivered');
    await server.ended();
    expect(service.lines[0]).to.equal('user N0CALL pass 13023 vers weatherd 1.0');
    expect(service.lines[1]).to.match(/^N0CALL>APRS,TCPIP\*:@/);
    expect(JSON.stringify(bench.shown)).to.contain('pass ***').and.not.contain('13023');
    const outcome = await bench.send({ ...amateur, secret: '13024' }, weatherOf(ROW));
    expect(outcome).to.have.property('failed').that.contains('passcode does not belong to this call sign');
    expect(outcome).to.have.property('retryAfter', 600);
    expect(JSON.stringify([outcome, bench.shown])).not.to.contain('13024');
  });

  it('has the passcodes of the call signs', () => {
    expect([passcodeOf('N0CALL'), passcodeOf('n0call-13')]).to.deep.equal([13_023, 13_023]);
    for (const account of ['DW1234', 'n0call-13', 'EW0001'])
      expect(cwop.faultOf?.({ account })).to.equal(undefined);
    for (const account of ['D', 'DW1234\r\n', 'a b', 'TOOLONG1'])
      expect(cwop.faultOf?.({ account })).to.contain('call sign');
    expect(cwop.faultOf?.({ account: 'DW1234', secret: 'abc' })).to.contain('passcode');
    expect(cwop.faultOf?.({ account: 'DW1234', secret: '-1' })).to.equal(undefined);
  });

  const faults: readonly (readonly [what: string, speak: Parameters<typeof startLines>[0], said: string])[] =
    [
      ['is full', (socket) => void socket.write('# Server full\r\n'), 'The server of CWOP is full.'],
      ['ends the connection', (socket) => void socket.end(), 'The target ended the connection'],
      [
        'refuses the login',
        async (socket, read) => {
          socket.write('# aprsc\r\n');
          await read();
          socket.write('# Invalid username\r\n');
        },
        'The server of CWOP refused the login.',
      ],
      ['says nothing', () => undefined, 'The target did not answer within'],
    ];
  for (const [what, speak, said] of faults)
    it(`waits for its next time when a server ${what}`, async () => {
      service = await startLines(speak);
      const bench = new TargetBench(cwop, { timeout: 200 });
      const outcome = await bench.send({ account: 'DW1234', url: service.url }, weatherOf(ROW));
      expect(outcome).to.have.property('failed').that.contains(said);
      expect(outcome).to.have.property('retryAfter', 600);
      expect(service.lines.join()).not.to.contain('>APRS');
    });

  it('sends after ten minutes at a second of its own', () => {
    expect(cwop.weather).to.deep.include({ interval: 600, atOwnSecond: true });
  });
});
