import 'reflect-metadata/lite';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Container, ContainerModule } from 'inversify';
import { SystemClock } from '../adapters/clock-system/system-clock.js';
import { UuidSource } from '../adapters/id-uuid/uuid-source.js';
import { Argon2PasswordHasher } from '../adapters/password-argon2/argon2-password-hasher.js';
import { JwtTokenIssuer } from '../adapters/token-jwt/jwt-token-issuer.js';
import { SigningKeyFile } from '../adapters/token-jwt/signing-key-file.js';
import { AddUser } from '../application/add-user.js';
import { Authenticate } from '../application/authenticate.js';
import { ChangePassword } from '../application/change-password.js';
import { GetHealth } from '../application/get-health.js';
import { GetInfo } from '../application/get-info.js';
import { GetLiveliness } from '../application/get-liveliness.js';
import { ListUsers } from '../application/list-users.js';
import { type HealthObserver, MonitorHealth } from '../application/monitor-health.js';
import { RemoveUser } from '../application/remove-user.js';
import { SetUserEnabled } from '../application/set-user-enabled.js';
import type { Config } from './config.js';
import { readPackageInfo } from './package-info.js';
import { openStores, type Stores } from './stores.js';
import * as tokens from './tokens.js';

/** The wired application. Everything has been resolved; closing it releases stores and threads, last made first. */
export interface Application {
  readonly container: Container;
  /** Where the data is, for people. */
  readonly location: string;
  close(): Promise<void>;
}

/**
 * Opens what the configuration names and wires it.
 *
 * @param observer is told when something that liveliness depends on fails or works again
 * @throws DomainError STORE_UNAVAILABLE, or an Error that says why the data directory cannot be used
 */
export async function openApplication(config: Config, observer: HealthObserver): Promise<Application> {
  const signingKey = await openDataDirectory(config);
  const stores = await openStores(config);
  const container = new Container({ defaultScope: 'Singleton' });
  const modules = [storeModule(stores), systemModule(signingKey), applicationModule(config, observer)];
  container.load(...modules);
  for (const token of Object.values(tokens)) container.get<unknown>(token);
  const close = async () => {
    for (const module of [...modules].reverse()) await container.unloadAsync(module);
  };
  return { container, location: stores.location, close };
}

async function openDataDirectory(config: Config): Promise<SigningKeyFile> {
  const key = new SigningKeyFile(join(config.DATA_DIR, 'signing-key.pem'));
  try {
    mkdirSync(config.DATA_DIR, { recursive: true, mode: 0o700 });
    await key.createIfMissing();
  } catch (error) {
    const reason = (error as Error).message;
    throw new Error(`The data directory ${config.DATA_DIR} cannot be used: ${reason}`, { cause: error });
  }
  return key;
}

function storeModule(stores: Stores): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(tokens.CredentialStore)
      .toConstantValue(stores.credentials)
      .onDeactivation((store) => store.close());
  });
}

function systemModule(signingKey: SigningKeyFile): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(tokens.Clock).toConstantValue(new SystemClock());
    bind(tokens.IdSource).toConstantValue(new UuidSource());
    bind(tokens.TokenIssuer).toConstantValue(new JwtTokenIssuer(signingKey));
    bind(tokens.PasswordHasher)
      .toConstantValue(new Argon2PasswordHasher())
      .onDeactivation((hasher) => hasher.close());
  });
}

function applicationModule(config: Config, observer: HealthObserver): ContainerModule {
  const identity = readPackageInfo();
  const settings = { enabled: config.AUTH_ENABLED, tokenDuration: config.TOKEN_DURATION };
  const { Clock, CredentialStore, IdSource, PasswordHasher, TokenIssuer } = tokens;
  return new ContainerModule(({ bind }) => {
    bind(tokens.GetInfo).toResolvedValue(() => new GetInfo(identity));
    bind(tokens.GetHealth).toResolvedValue((clock) => new GetHealth(clock), [Clock]);
    bind(tokens.MonitorHealth).toResolvedValue(
      (clock, users, issuer) =>
        new MonitorHealth(clock, settings.enabled ? [users, issuer] : [users], observer),
      [Clock, CredentialStore, TokenIssuer],
    );
    bind(tokens.GetLiveliness).toResolvedValue((health) => new GetLiveliness(health), [tokens.MonitorHealth]);
    bind(tokens.Authenticate).toResolvedValue(
      (clock, ids, users, passwords, issuer) =>
        new Authenticate(settings, { clock, ids, users, passwords, tokens: issuer }),
      [Clock, IdSource, CredentialStore, PasswordHasher, TokenIssuer],
    );
    bind(tokens.AddUser).toResolvedValue(
      (clock, ids, users, passwords) => new AddUser(clock, ids, users, passwords),
      [Clock, IdSource, CredentialStore, PasswordHasher],
    );
    bind(tokens.ListUsers).toResolvedValue((users) => new ListUsers(users), [CredentialStore]);
    bind(tokens.SetUserEnabled).toResolvedValue((users) => new SetUserEnabled(users), [CredentialStore]);
    bind(tokens.ChangePassword).toResolvedValue(
      (users, passwords) => new ChangePassword(users, passwords),
      [CredentialStore, PasswordHasher],
    );
    bind(tokens.RemoveUser).toResolvedValue((users) => new RemoveUser(users), [CredentialStore]);
  });
}
