// Conformance with GraphQL over HTTP: the audits of the package `graphql-http`, MUST and SHOULD alike.

import { serverAudits } from 'graphql-http'
import { expect } from 'vitest'
import { note } from '../kit/figures.ts'
import { test } from '../kit/test.ts'

test('there are at least 61 audits, and all of them pass', async ({ gateway, task }) => {
  const audits = serverAudits({ url: `${gateway.url}/graphql`, fetchFn: fetch })
  // A new version of the package may bring more; fewer would mean that some are lost.
  expect(audits.length).toBeGreaterThanOrEqual(61)
  const failed: string[] = []
  for (const { id, name, fn } of audits) {
    const result = await fn()
    // A SHOULD that fails is only a `warn` to the package.
    if (result.status !== 'ok') failed.push(`${id} ${name}: ${result.reason}`)
  }
  const what = 'audits of GraphQL over HTTP (graphql-http), MUST and SHOULD alike'
  note({ task }, { promise: 8, what, bound: 'all 61', measured: `${audits.length - failed.length}` })
  expect(failed).toEqual([])
})
