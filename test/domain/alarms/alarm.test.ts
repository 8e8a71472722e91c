import { expect } from 'chai';
import { acceptAlarm, type Alarm, alarmDamage } from '#domain/alarms/alarm.js';
import { V } from '#domain/weather/variables.js';

const ALARM: Alarm = {
  id: '1',
  name: 'frost',
  station: null,
  condition: { kind: 'silent', intervals: 3 },
  target: null,
  madeBy: null,
  madeAt: 0,
};

describe('An alarm', () => {
  for (const name of ['a', '.a', 'a.', '..a', '_', 'A-1', 'a'.repeat(64)])
    it(`can have the name ${name}`, () => {
      expect(acceptAlarm({ ...ALARM, name }).name).to.equal(name);
    });

  for (const name of ['', '.', '..', '...', '-a', 'a b', 'ä', 'a/b', 'a'.repeat(65)])
    it(`cannot have the name "${name}"`, () => {
      expect(() => acceptAlarm({ ...ALARM, name }))
        .to.throw('cannot be the name of an alarm')
        .with.property('code', 'REQUEST_INVALID');
    });

  it('that is damaged is described without a full stop, because the sentence goes on', () => {
    const condition = { kind: 'below', variable: V.temperature, threshold: 0, clear: -1, for: 0 } as const;
    expect(alarmDamage(ALARM)).to.equal(undefined);
    expect(alarmDamage({ ...ALARM, condition })).to.match(/^cannot be used: .*not beyond it$/);
    const target = { kind: 'command', command: [] } as const;
    expect(alarmDamage({ ...ALARM, target })).to.match(/^cannot be used: .*[^.]$/);
  });
});
