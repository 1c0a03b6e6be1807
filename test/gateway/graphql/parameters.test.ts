// Which requests the fast path reads itself, and how.

import { describe, expect, test } from 'vitest'
import { readJsonBody, readQueryString } from '../../../src/gateway/graphql/parameters.ts'

const nothing = { query: null, documentId: null, operationName: null, variables: {}, extensions: null }

describe('a query string', () => {
  test.each([
    ['query={a}', { ...nothing, query: '{a}' }],
    ['query=%7Ba%7D', { ...nothing, query: '{a}' }],
    ['query=query+A{a+b%2Bc}', { ...nothing, query: 'query A{a b+c}' }],
    ['query=%C3%A9%F0%9F%98%80', { ...nothing, query: 'é😀' }],
    ['query={a}&query={b}', { ...nothing, query: '{a}' }],
    ['utm=1&&query={a}&x', { ...nothing, query: '{a}' }],
    ['query={a(b:"c=d")}', { ...nothing, query: '{a(b:"c=d")}' }],
    ['query={a}&operationName=A', { ...nothing, query: '{a}', operationName: 'A' }],
    ['query={a}&operationName=&variables=&extensions=', { ...nothing, query: '{a}' }],
    ['query={a}&variables={"v":["1"]}', { ...nothing, query: '{a}', variables: { v: ['1'] } }],
    ['query={a}&variables=null&extensions={"x":1}', { ...nothing, query: '{a}', extensions: { x: 1 } }],
    ['documentId=sha256:a%62&query=', { ...nothing, documentId: 'sha256:ab' }],
    ['extensions={"persistedQuery":1}', { ...nothing, extensions: { persistedQuery: 1 } }],
  ])('%s', (text, parameters) => {
    expect(readQueryString(text)).toEqual(parameters)
  })
  test.each([
    '',
    'query',
    'query=',
    'query=&query={a}',
    'documentId=&extensions=',
    '%71uery={a}',
    'Query={a}',
    'query=%',
    'query=%FF',
    'query={a}&variables=[]',
    'query={a}&variables=1',
    'query={a}&variables={',
    'query={a}&extensions="x"',
    `query={a}&variables=${'['.repeat(101)}`,
    `${'x=1&'.repeat(20)}query={a}`,
    'constructor=1&__proto__=2',
  ])('is left to Yoga: %s', (text) => {
    expect(readQueryString(text)).toBeNull()
  })
})

describe('a body', () => {
  test.each([
    ['{"query":"{a}"}', { ...nothing, query: '{a}' }],
    ['{"query":"{a}","variables":null,"operationName":null,"extensions":null}', { ...nothing, query: '{a}' }],
    [
      '{"query":"{a}","extensions":{"clientLibrary":{}}}',
      { ...nothing, query: '{a}', extensions: { clientLibrary: {} } },
    ],
    ['{"documentId":["a"]}', { ...nothing, documentId: ['a'] }],
    ['{"extensions":{"persistedQuery":1}}', { ...nothing, extensions: { persistedQuery: 1 } }],
  ])('%s', (text, parameters) => {
    expect(readJsonBody(Buffer.from(text))).toEqual(parameters)
  })
  test.each([
    '',
    '[]',
    'null',
    '"{a}"',
    '{"query":1}',
    '{"query":null,"documentId":null,"extensions":null}',
    '{"query":"{a}","more":1}',
    '{"query":"{a}","variables":[]}',
  ])('is left to Yoga: %s', (text) => {
    expect(readJsonBody(Buffer.from(text))).toBeNull()
  })
})
