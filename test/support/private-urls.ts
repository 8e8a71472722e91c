/** URLs with loopback, link-local and private addresses, in several spellings. */
export const PRIVATE_URLS = [
  'http://127.0.0.1/',
  'http://127.1:8080/x',
  'http://0x7f000001/',
  'https://169.254.169.254/latest',
  'http://192.168.1.20/',
  'http://[::1]/',
  'http://[fe80::1]/',
  'http://[::ffff:10.0.0.1]/',
] as const;
