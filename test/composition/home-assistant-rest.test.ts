import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { ENTITIES } from '#adapters/broker-mqtt/publishing/entities.js';
import { Authorize } from '#application/accounts/sessions/authorize.js';
import { makeExternalEndpoints } from '#composition/modules/endpoints.js';
import { defaultTransport, type RunningApi, runApi } from '../support/api-server.js';
import { addStation, record } from '../support/weather-world.js';
import { UPLOAD_REACH, World } from '../support/world.js';

const PAGE = readFileSync(new URL('../../../docs/home-assistant.md', import.meta.url), 'utf8');
const SECTION = PAGE.split('## Without a broker')[1]?.split('\n## ')[0] ?? '';
const [, EXAMPLE = ''] = /^```yaml\n([^]*?)^```$/m.exec(SECTION) ?? [];

/** The options of each sensor, without quotation marks. */
const SENSORS = EXAMPLE.split(/^ {6}- /m)
  .slice(1)
  .map((text) =>
    Object.fromEntries(
      [...text.matchAll(/^ *(\w+): (.*)$/gm)].map(([, name = '', value = '']) => [
        name,
        value.replace(/^(['"])(.*)\1$/, '$2'),
      ]),
    ),
  );

describe('the package for Home Assistant', () => {
  let running: RunningApi;
  let reply: Record<string, unknown>;

  before(async () => {
    const world = await World.make();
    world.clock.time = Date.parse('2026-01-31T12:00:00Z');
    await addStation(world, { id: 'garden' });
    const named = [...EXAMPLE.matchAll(/value_json\.latest\.(\w+)\.value/g)].map(([, name = '']) => name);
    const columns = Object.fromEntries([...named, 'precipitation_amount'].map((name) => [name, [1, 2]]));
    await record(
      world,
      '2026-01-31T10:30:00Z',
      { ...columns, air_pressure_at_mean_sea_level: [1013, 1014] },
      'garden',
    );
    const authorize = world.get(Authorize);
    running = await runApi(await defaultTransport[0]![1](), {
      endpoints: makeExternalEndpoints(world.container, 'public', UPLOAD_REACH),
      authorize: (given, access) => authorize.execute({ token: given, ...access }),
    });
    const [, path = ''] = /resource: https:\/\/weather\.example\.org(\S+)/.exec(EXAMPLE) ?? [];
    const answer = await fetch(`${running.url}${path}`);
    expect(answer.status).to.equal(200);
    reply = (await answer.json()) as typeof reply;
  });
  after(() => running.server.close(1000));

  it('has templates with fields of the reply', () => {
    expect(SENSORS).to.have.length.greaterThan(9);
    for (const { name, availability = '', value_template: template = '' } of SENSORS) {
      const [, path = ''] = /^\{\{ value_json\.([\w.]+) \}\}$/.exec(template) ?? [];
      expect(reply, name).to.have.nested.property(path).that.is.a('number');
      const subject = path.replace(/\.value$/, '');
      expect(availability, name).to.be.oneOf([
        `{{ (value_json.${subject} | default({})).verdict | default('fail') != 'fail' }}`,
        `{{ value_json.${subject} is not none }}`,
      ]);
      if (path !== subject)
        expect(reply, name).to.have.nested.property(`${subject}.verdict`).that.is.oneOf(['pass', 'suspect']);
    }
  });

  it('has the names, classes and units of the same values at a broker', () => {
    for (const sensor of SENSORS) {
      const [, id = ''] = /^weatherd_garden_(\w+)$/.exec(sensor['unique_id'] ?? '') ?? [];
      const entity = ENTITIES[id];
      expect(entity, id).not.to.equal(undefined);
      expect(sensor['name']?.toLowerCase(), id).to.equal(`garden ${entity?.name.toLowerCase()}`);
      expect(
        [sensor['device_class'], sensor['unit_of_measurement'], sensor['state_class']],
        id,
      ).to.deep.equal([entity?.deviceClass, entity?.unit, entity?.stateClass ?? 'measurement']);
      expect(entity?.scale, id).to.equal(undefined);
    }
    expect(new Set(SENSORS.map(({ unique_id: id }) => id)).size).to.equal(SENSORS.length);
  });
});
