import { TARGET_KINDS } from '#adapters/target-kinds/target-kinds.js';
import { targetRules } from '#transport-suite/target-contract.js';
import { ACCEPTING, OPENWEATHERMAP_KEY } from '../../support/targets/services.js';

for (const kind of TARGET_KINDS.filter(({ weather }) => weather !== undefined))
  describe(`target › ${kind.name}`, () =>
    targetRules(
      async () => kind,
      async () => {
        const start = ACCEPTING[kind.name];
        if (start === undefined) throw new Error(`There is no simulated service for ${kind.name}.`);
        const service = await start();
        const settings = {
          ...(kind.settings.account === true && { account: 'DW1234' }),
          ...(kind.settings.secret === true && { secret: OPENWEATHERMAP_KEY }),
          url: service.url,
        };
        return { settings, stop: () => service.stop() };
      },
    ));
