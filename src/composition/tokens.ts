import type { ServiceIdentifier } from 'inversify';
import type { AddUser as AddUserUseCase } from '../application/add-user.js';
import type { Authenticate as AuthenticateUseCase } from '../application/authenticate.js';
import type { ChangePassword as ChangePasswordUseCase } from '../application/change-password.js';
import type { GetHealth as GetHealthUseCase } from '../application/get-health.js';
import type { GetInfo as GetInfoUseCase } from '../application/get-info.js';
import type { GetLiveliness as GetLivelinessUseCase } from '../application/get-liveliness.js';
import type { ListUsers as ListUsersUseCase } from '../application/list-users.js';
import type { MonitorHealth as MonitorHealthUseCase } from '../application/monitor-health.js';
import type { Clock as ClockPort } from '../application/ports/clock.js';
import type { CredentialStore as CredentialStorePort } from '../application/ports/credential-store.js';
import type { IdSource as IdSourcePort } from '../application/ports/id-source.js';
import type { PasswordHasher as PasswordHasherPort } from '../application/ports/password-hasher.js';
import type { TokenIssuer as TokenIssuerPort } from '../application/ports/token-issuer.js';
import type { RemoveUser as RemoveUserUseCase } from '../application/remove-user.js';
import type { SetUserEnabled as SetUserEnabledUseCase } from '../application/set-user-enabled.js';

/** What the container knows, each with its type. */

export const Clock = Symbol('Clock') as ServiceIdentifier<ClockPort>;
export const CredentialStore = Symbol('CredentialStore') as ServiceIdentifier<CredentialStorePort>;
export const IdSource = Symbol('IdSource') as ServiceIdentifier<IdSourcePort>;
export const PasswordHasher = Symbol('PasswordHasher') as ServiceIdentifier<PasswordHasherPort>;
export const TokenIssuer = Symbol('TokenIssuer') as ServiceIdentifier<TokenIssuerPort>;

export const AddUser = Symbol('AddUser') as ServiceIdentifier<AddUserUseCase>;
export const Authenticate = Symbol('Authenticate') as ServiceIdentifier<AuthenticateUseCase>;
export const ChangePassword = Symbol('ChangePassword') as ServiceIdentifier<ChangePasswordUseCase>;
export const GetHealth = Symbol('GetHealth') as ServiceIdentifier<GetHealthUseCase>;
export const GetInfo = Symbol('GetInfo') as ServiceIdentifier<GetInfoUseCase>;
export const GetLiveliness = Symbol('GetLiveliness') as ServiceIdentifier<GetLivelinessUseCase>;
export const ListUsers = Symbol('ListUsers') as ServiceIdentifier<ListUsersUseCase>;
export const MonitorHealth = Symbol('MonitorHealth') as ServiceIdentifier<MonitorHealthUseCase>;
export const RemoveUser = Symbol('RemoveUser') as ServiceIdentifier<RemoveUserUseCase>;
export const SetUserEnabled = Symbol('SetUserEnabled') as ServiceIdentifier<SetUserEnabledUseCase>;
