/**
 * Who can reach the listener for uploads. `off`: there is no listener. `loopback`: programs on the machine of the service.
 * `network`: other machines too, over plain HTTP.
 */
export const UPLOADS_REACHES = ['off', 'loopback', 'network'] as const;
export type UploadsReach = (typeof UPLOADS_REACHES)[number];

/** A stored reach; undefined for a text that is none, for example of a later version. */
export function readReach(text: string | undefined): UploadsReach | undefined {
  return UPLOADS_REACHES.find((reach) => reach === text);
}
