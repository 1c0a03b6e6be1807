// Conformance with GraphQL over HTTP: the audits of the package `graphql-http`, MUST and SHOULD alike, on the
// fast path and by Yoga.

import { serverAudits } from 'graphql-http'
import { expect } from 'vitest'
import { note } from '../kit/figures.ts'
import { test } from '../kit/test.ts'
import { forYoga } from './client.ts'

const ways: Readonly<Record<string, typeof fetch>> = {
  'the fast path': fetch,
  Yoga: (to, init) => fetch(...forYoga(String(to), init)),
}

test.for(Object.entries(ways))('%s passes all 61 audits', async ([way, fetchFn], { gateway, task }) => {
  const audits = serverAudits({ url: `${gateway.url}/graphql`, fetchFn })
  // A new version of the package may bring more; fewer would mean that some are lost.
  expect(audits.length).toBeGreaterThanOrEqual(61)
  const failed: string[] = []
  for (const { id, name, fn } of audits) {
    const result = await fn()
    // A SHOULD that fails is only a `warn` to the package.
    if (result.status !== 'ok') failed.push(`${id} ${name}: ${result.reason}`)
  }
  const what = `audits of GraphQL over HTTP (graphql-http), MUST and SHOULD alike: ${way}`
  note({ task }, { promise: 8, what, bound: 'all 61', measured: `${audits.length - failed.length}` })
  expect(failed).toEqual([])
})
