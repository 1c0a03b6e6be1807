// The OpenAPI file is one that other tools accept, and its examples are what is really answered.

import { createConfig, lintFromString } from '@redocly/openapi-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { legacyFailureCodes } from '../../../src/errors.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { cases } from './support/cases.ts'
import { publishedOpenApi } from './support/documents.ts'

interface MediaType {
  readonly examples: Readonly<Record<string, { readonly description: string }>>
}
interface Operation {
  readonly parameters: readonly { readonly name: string; readonly example?: string }[]
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, MediaType>>; readonly headers?: object }>
  >
}

const operation: Operation = JSON.parse(publishedOpenApi).paths['/'].get

/** The bytes of an example. */
function bytes(status: number, type: string, name: string): string {
  const { description = '' } = operation.responses[status]?.content?.[type]?.examples[name] ?? {}
  return /^```\w+\n(.*)\n```$/s.exec(description)?.[1] ?? ''
}

describe('a linter', () => {
  const lint = async (source: string) => {
    const config = await createConfig({ extends: ['recommended-strict'] })
    const problems = await lintFromString({ source, config })
    return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)
  }

  test('finds nothing wrong', async () => {
    expect(await lint(publishedOpenApi)).toEqual([])
  })

  test('and would find something', async () => {
    expect(await lint(publishedOpenApi.replace('"Code": "UnknownEvent"', '"Code": 1'))).not.toEqual([])
  })
})

describe('its examples', () => {
  const golden = (request: string) => cases.find((known) => known.request === request)?.response.trimEnd()

  test.each([
    ['ProfileLookup', 'Users'],
    ['AppLookup', 'Apps'],
  ])('of %s are golden cases, in both formats', (event, list) => {
    const { example } = operation.parameters.find(({ name }) => name === list) ?? {}
    const request = `/?Event=${event}&${list}=${example}`
    expect(bytes(200, 'application/json', event)).toBe(golden(request))
    expect(bytes(200, 'application/xml', event)).toBe(golden(`${request}&Format=XML`))
    expect(golden(request)).toBeDefined()
  })

  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway()
  })
  afterAll(() => gateway.close())

  const ask = 'Event=ProfileLookup&Users=1:2:3'
  test.each([
    ['MissingParameter', 'Event=ProfileLookup'],
    ['RepeatedParameter', `${ask}&Users=4`],
    ['UnknownEvent', ask.toLowerCase().replace('event', 'Event').replace('users', 'Users')],
    ['UnknownMethod', `${ask}&MethodOfAccessingUserInformation=email`],
    ['MalformedIdentifier', 'Event=ProfileLookup&Users=ada'],
    ['TooManyValues', `Event=ProfileLookup&Users=${Array.from({ length: 1001 }, (_, id) => id).join(':')}`],
    ['MalformedQuery', `${ask}%`],
  ])('of %s is what is answered, in both formats', async (code, query) => {
    const read = async (format: string) => (await fetch(`${gateway.url}/?Format=${format}&${query}`)).text()
    expect(bytes(400, 'application/json', code)).toBe((await read('JSON')).trimEnd())
    expect(bytes(400, 'application/xml', code)).toBe((await read('XML')).trimEnd())
  })

  test('are of every error, each under its status', () => {
    const refused = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
    for (const type of ['application/json', 'application/xml']) {
      const codes = refused.flatMap(([, { content }]) => Object.keys(content?.[type]?.examples ?? {}))
      expect(codes.toSorted()).toEqual([...legacyFailureCodes].toSorted())
    }
    expect(Object.keys(operation.responses)).toEqual(['200', '304', '400', '405', '414', '429', '500', '503'])
    for (const status of [429, 503])
      expect(operation.responses[status]?.headers).toHaveProperty('Retry-After')
  })
})
