import { TARGET_KINDS } from '#adapters/target-kinds/target-kinds.js';
import { targetRules } from '#transport-suite/target-contract.js';
import { ACCEPTING, OPENWEATHERMAP_KEY, TELEGRAM_TOKEN } from '../../support/targets/services.js';

for (const kind of TARGET_KINDS)
  describe(`target › ${kind.name}`, () =>
    targetRules(
      async () => kind,
      async () => {
        const start = ACCEPTING[kind.name];
        if (start === undefined) throw new Error(`There is no simulated service for ${kind.name}.`);
        const service = await start();
        const settings = {
          ...(kind.settings.account === true && { account: kind.name === 'telegram' ? '-1001' : 'DW1234' }),
          ...(kind.settings.secret === true && {
            secret: kind.name === 'telegram' ? TELEGRAM_TOKEN : OPENWEATHERMAP_KEY,
          }),
          url: service.url,
        };
        return { settings, stop: () => service.stop() };
      },
    ));
