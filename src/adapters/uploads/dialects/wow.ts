import { readFields } from '../reading/field-table.js';
import { uploadTime } from '../reading/utc-time.js';
import { UPLOAD_JSON_TYPE, REPLIES } from '../upload-reply.js';
import { type Dialect, deviceOf, NO_VALUES, senderOf } from './dialect.js';
import { WUNDERGROUND_FIELDS } from './wunderground.js';

const PATH = /\/(?:automaticreading(?:\.php)?|api\/v2\/send(?:\/wow)?)\/?$/;

/** The Weather Observations Website, and its Belgian version, which also accepts the fields as JSON. */
export const wow: Dialect = {
  name: 'wow',
  recognizes: ({ fields, path }) =>
    (fields.has('siteid') && fields.has('siteAuthenticationKey')) || PATH.test(path),
  read: ({ fields, key }) => {
    if (fields.size === 0) return NO_VALUES;
    const { batteries, ...values } = readFields(fields, WUNDERGROUND_FIELDS);
    const [id, password] = [fields.get('siteid'), fields.get('siteAuthenticationKey')];
    return [
      {
        sender: senderOf({ key, id, password }),
        time: uploadTime(fields.get('dateutc'), false),
        ...values,
        device: deviceOf({ firmware: fields.get('softwaretype'), batteries }),
      },
    ];
  },
  replies: {
    ...REPLIES,
    accepted: { status: 200, body: '{}', type: UPLOAD_JSON_TYPE },
    key: { status: 403, body: 'forbidden' },
  },
};
