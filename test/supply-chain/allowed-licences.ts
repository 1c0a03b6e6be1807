/** They ask for no more than to be named. Another one is for a person to read first. */
export const allowedLicences: readonly unknown[] = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Python-2.0',
]
