// Probes look up what requests look up: a table that gives no response is found before any request.

import { expect, test } from 'vitest'
import { errors } from '../../../src/stores/postgres/errors.ts'
import { questions } from '../../../src/stores/postgres/statements.ts'
import { QueryTimeout } from '../../../src/stores/servers/errors.ts'
import { askTables, SilentTable } from '../../../src/stores/servers/table-probe.ts'
import { failure } from './fake-servers.ts'

const late = new QueryTimeout(500)
const tooSlow = failure('57014', 'canceling statement due to statement timeout')
const missing = failure('42P01', 'relation "users" does not exist')

test.for([
  ['both answer', {}, null],
  ['users is late', { users: late }, new SilentTable('users', late)],
  ['the server ended the query of apps', { apps: tooSlow }, new SilentTable('apps', tooSlow)],
  ['both are late', { users: late, apps: tooSlow }, late],
  ['users is not there', { users: missing }, missing],
  ['users is not there, and apps is late', { users: missing, apps: late }, missing],
] as const)('%s', async ([, failures, expected]) => {
  const failing: { readonly users?: Error; readonly apps?: Error } = failures
  const ask = async ({ table }: { readonly table?: string }) => {
    const error = table === 'users' ? failing.users : failing.apps
    if (error) throw error
    return []
  }
  const outcome = askTables(ask, questions, errors)
  if (expected === null) await outcome
  else await expect(outcome).rejects.toEqual(expected)
})
