// The settings of the person who runs the tests must not reach the commands and services that tests start.
for (const name of Object.keys(process.env)) if (name.startsWith('WEATHERD_')) delete process.env[name];
