export { Alarms } from './alarms.js';
export { Audit } from './audit.js';
export { Backups } from './backups.js';
export { Hooks } from './hooks.js';
export { Mappings } from './mappings.js';
export { Quality } from './quality.js';
export { Retention } from './retention.js';
export { Sessions } from './sessions.js';
