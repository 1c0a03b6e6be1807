// The Accept header: the media type of a GraphQL response, and page or data.

import { describe, expect, test } from 'vitest'
import { accepted } from '../src/accept.ts'

const JSON_TYPE = 'application/json'
const RESPONSE_TYPE = 'application/graphql-response+json'

describe('a GraphQL response', () => {
  test.each([
    [undefined, JSON_TYPE],
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    [RESPONSE_TYPE, RESPONSE_TYPE],
    [`${RESPONSE_TYPE},${JSON_TYPE};q=0.9`, RESPONSE_TYPE],
    [`${RESPONSE_TYPE};q=0.5, ${JSON_TYPE};q=0.9`, JSON_TYPE],
    [`${JSON_TYPE}, ${RESPONSE_TYPE}`, JSON_TYPE],
    [`${RESPONSE_TYPE}, ${JSON_TYPE}`, RESPONSE_TYPE],
    [`${RESPONSE_TYPE}, */*`, RESPONSE_TYPE],
    [`${RESPONSE_TYPE};q=0.1, */*`, JSON_TYPE],
    [`*/*, ${JSON_TYPE};q=0`, RESPONSE_TYPE],
    [`${JSON_TYPE};q=0, ${RESPONSE_TYPE};q=0, application/*`, null],
    ['application/json, text/plain, */*', JSON_TYPE],
    ['APPLICATION/GraphQL-Response+JSON ; Q=1', RESPONSE_TYPE],
    [`${RESPONSE_TYPE}; charset=utf-8, ${JSON_TYPE}; charset=utf-8`, RESPONSE_TYPE],
    [`${RESPONSE_TYPE}; charset="UTF-8"`, RESPONSE_TYPE],
    [`${JSON_TYPE}; charset=iso-8859-1`, null],
    [`${JSON_TYPE};q=2`, null],
    [`${JSON_TYPE};q=x, ${RESPONSE_TYPE};q=0.001`, RESPONSE_TYPE],
    ['text/event-stream', 'text/event-stream'],
    [`multipart/mixed, ${JSON_TYPE};q=0.5`, 'multipart/mixed'],
    [`multipart/mixed;deferSpec=20220824,${RESPONSE_TYPE},${JSON_TYPE}`, RESPONSE_TYPE],
    ['text/event-stream, multipart/mixed, */*', JSON_TYPE],
    [`multipart/mixed;q=0.5, ${JSON_TYPE}`, JSON_TYPE],
    ['image/png', null],
    [';;;,,,;q=1', JSON_TYPE],
    [`${','.repeat(2000)}${RESPONSE_TYPE}`, JSON_TYPE],
  ])('for %s', (header, type) => {
    for (let use = 0; use < 2; use++) expect(accepted(header).graphql).toBe(type)
  })
})

test('texts without end are read, and not all kept', () => {
  for (let at = 0; at < 1000; at++)
    expect(accepted(`x/${at}, ${JSON_TYPE};q=0.${at + 1}`).graphql).toBe(JSON_TYPE)
  expect(accepted(`text/html, ${JSON_TYPE};q=0.9`).html).toBe(true)
})
