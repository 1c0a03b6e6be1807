import { resolve } from 'node:path'
import { expect } from 'vitest'

const here = resolve(import.meta.dirname, '../..').replace(/\W/g, '\\$&')

/** What no client may ever see: a stack, a file of ours, what a library calls its errors. */
const secrets = new RegExp(
  String.raw`(?:\n|\\n)\s+at |node_modules|node:internal|\.[jt]s:\d|sqlite|ERR_[A-Z]|\w+Error:|${here}`,
  'i',
)

/** Fails where bytes that reach a client show how the service is made. */
export function expectNoSecrets(bytes: string, context: string): void {
  if (secrets.test(bytes)) expect(bytes, context).not.toMatch(secrets)
}
