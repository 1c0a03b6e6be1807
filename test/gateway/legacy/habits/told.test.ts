// A gateway that has a habit is told to have it: what is written by it is what it is recognised by.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { UNKNOWN } from '../../../../src/gateway/legacy/habits/questions.ts'
import { startAnswering } from '../../../kit/answering.ts'
import { startGateway } from '../../../kit/gateway.ts'
import { tell } from './support/tell.ts'

const defaults = {
  LEGACY_UNKNOWN: 'omit',
  LEGACY_EMPTY: '{}',
  LEGACY_NUMBERS: 'number',
  LEGACY_BOOLEANS: 'boolean',
  LEGACY_JSON_FLAGS: 'none',
  LEGACY_JSON_TYPE: 'application/json; charset=utf-8',
  LEGACY_ERROR_BODY: 'object',
  LEGACY_ERROR_STATUS: 'http',
}

/** The settings that there is nothing to tell of. */
const silent = ['LEGACY_UNKNOWN_TEXT', 'LEGACY_UNKNOWN_STATUS'] as const

test.for<Readonly<Record<string, string>>>([
  {},
  ...['null', 'false', '{}', '[]', 'nulls', 'nulls+0', 'nulls+false', 'nulls+0+false', 'zeros'].map(
    (form) => ({
      LEGACY_UNKNOWN: form,
    }),
  ),
  { LEGACY_UNKNOWN: 'zeros', LEGACY_NUMBERS: 'string', LEGACY_BOOLEANS: 'string,strval' },
  { LEGACY_UNKNOWN: 'nulls+false', LEGACY_BOOLEANS: 'integer', LEGACY_UNKNOWN_XML: 'unconfirmed' },
  { LEGACY_UNKNOWN: '{"found":false}' },
  {
    LEGACY_UNKNOWN: '{"error":"{message}"}',
    LEGACY_UNKNOWN_XML: 'error',
    LEGACY_UNKNOWN_TEXT: 'not found',
    LEGACY_JSON_FLAGS: 'pretty',
  },
  {
    LEGACY_UNKNOWN: '{"Error":{"Code":404,"Message":"{message}"}}',
    LEGACY_UNKNOWN_XML: 'error',
    LEGACY_UNKNOWN_TEXT: 'No user {value} | No app {value}',
  },
  {
    LEGACY_UNKNOWN: 'error',
    LEGACY_UNKNOWN_XML: 'error',
    LEGACY_ERROR_BODY: 'lower-case',
    LEGACY_UNKNOWN_TEXT: 'No user | No app',
  },
  {
    LEGACY_MAX_VALUES: '20',
    LEGACY_EMPTY: 'refuse',
    LEGACY_UNKNOWN_TEXT: 'No users | No apps',
    LEGACY_UNKNOWN_STATUS: '404',
    LEGACY_ERROR_TEXTS:
      'MissingParameter=No users given;MissingApps=No apps given;RepeatedParameter=Twice;MalformedIdentifier=Bad user | Bad app;TooManyValues=More than 20;MalformedQuery=What?',
  },
  { LEGACY_UNKNOWN: 'error', LEGACY_UNKNOWN_TEXT: 'There is no {value}' },
  {
    LEGACY_UNKNOWN: 'refuse',
    LEGACY_UNKNOWN_TEXT: 'Nicht gefunden: {value} – ä',
    LEGACY_UNKNOWN_STATUS: '404',
  },
  { LEGACY_UNKNOWN: 'refuse', LEGACY_UNKNOWN_TEXT: 'Not found', LEGACY_UNKNOWN_STATUS: '200' },
  { LEGACY_EMPTY: '[]' },
  // Nobody is 0: a cast shows that an array is not made an object.
  {
    ...{ LEGACY_EMPTY: '[]', LEGACY_UNKNOWN: 'null', LEGACY_LOOSE_IDS: 'php', LEGACY_KEYS: 'read' },
    LEGACY_MALFORMED: 'unknown',
  },
  {
    ...{ LEGACY_EMPTY: '[]', LEGACY_UNKNOWN: 'zeros', LEGACY_LOOSE_IDS: 'php', LEGACY_KEYS: 'read' },
    ...{ LEGACY_MALFORMED: 'unknown', LEGACY_JSON_FLAGS: 'pretty', LEGACY_MAX_VALUES: '1' },
  },
  { LEGACY_EMPTY: 'null' },
  { LEGACY_EMPTY: 'null', LEGACY_JSON_FLAGS: 'newline' },
  { LEGACY_EMPTY: 'none' },
  { LEGACY_EMPTY: 'none', LEGACY_UNKNOWN: 'null' },
  { LEGACY_EMPTY: 'none', LEGACY_MAX_VALUES: '20', LEGACY_ERROR_STATUS: '200' },
  {
    LEGACY_UNKNOWN: 'null',
    LEGACY_EMPTY: 'refuse',
    LEGACY_UNKNOWN_TEXT: 'Nobody has {value}',
    LEGACY_UNKNOWN_STATUS: '404',
  },
  { LEGACY_EMPTY: 'refuse', LEGACY_UNKNOWN_TEXT: 'Nobody', LEGACY_UNKNOWN_STATUS: '410' },
  { LEGACY_NUMBERS: 'string' },
  { LEGACY_NUMBERS: 'string,Id=number', LEGACY_UNKNOWN: 'nulls+0' },
  { LEGACY_NUMBERS: 'number,JoinDate=string' },
  { LEGACY_NUMBERS: 'number,Category=string', LEGACY_MAX_VALUES: '1' },
  ...['integer', 'string', 'strval', 'string,strval', 'boolean,integer'].map((form) => ({
    LEGACY_BOOLEANS: form,
  })),
  { LEGACY_NUMBERS: 'string', LEGACY_BOOLEANS: 'string', LEGACY_JSON_FLAGS: 'pretty' },
  ...['unescaped-unicode', 'unescaped-slashes', 'pretty', 'newline', 'spaced'].map((flag) => ({
    LEGACY_JSON_FLAGS: flag,
  })),
  ...[
    'indent-2',
    'indent-tab',
    'indent-2,newline,spaced,sorted',
    'indent-3,newline,spaced-colons,sorted',
  ].map((few) => ({ LEGACY_JSON_FLAGS: few })),
  ...['spaced', 'spaced-colons', 'newline,spaced,spaced-colons', 'sorted', 'pretty,spaced'].map((few) => ({
    LEGACY_JSON_FLAGS: few,
    LEGACY_NUMBERS: 'string',
  })),
  { LEGACY_JSON_FLAGS: 'indent-2,sorted', LEGACY_UNKNOWN: 'nulls' },
  { LEGACY_JSON_FLAGS: 'sorted', LEGACY_FIELDS: 'Username,Id,DisplayName,Rank,JoinDate,IsConfirmed,Banned' },
  { LEGACY_JSON_FLAGS: 'unescaped-unicode,unescaped-slashes,pretty,newline', LEGACY_UNKNOWN: '[]' },
  { LEGACY_JSON_TYPE: 'text/html; charset=UTF-8' },
  { LEGACY_ERROR_BODY: 'text', LEGACY_ERROR_STATUS: '200' },
  { LEGACY_ERROR_BODY: '{"detail": "{message}"}' },
  {
    LEGACY_ERROR_BODY: '{"error":true,"message":"{message}"}',
    LEGACY_ERROR_STATUS: '200',
    LEGACY_ERROR_BODY_XML: 'text',
  },
  { LEGACY_ERROR_BODY: '{"status":{status},"error":"{message}"}', LEGACY_ERROR_STATUSES: 'UnknownEvent=404' },
  {
    LEGACY_ERROR_BODY:
      '{\\n    "error": {\\n        "code": "{code}",\\n        "message": "{message}"\\n    }\\n}\\n',
    LEGACY_ERROR_CODES: 'MissingParameter=no_list;UnknownEvent=no_event',
  },
  {
    LEGACY_ERROR_BODY: 'ERROR: {message}',
    LEGACY_ERROR_TYPE: 'text/html; charset=UTF-8',
    LEGACY_ERROR_STATUS: '200',
    LEGACY_ERROR_BODY_XML: '<?xml version="1.0"?>\\n<ServiceAPI><Message>{message}</Message></ServiceAPI>',
  },
  { LEGACY_ERROR_BODY: 'lower-case', LEGACY_ERROR_STATUS: '404', LEGACY_JSON_FLAGS: 'spaced' },
  {
    LEGACY_MAX_VALUES: '20',
    LEGACY_ERROR_BODY: 'text',
    LEGACY_JSON_FLAGS: 'unescaped-unicode',
    LEGACY_ERROR_TEXTS:
      'MissingParameter=Users fehlen;MissingEvent=No event;MissingApps=No apps;RepeatedParameter=# twice;UnknownEvent=Kein "Event" für dich;UnknownMethod=No such method; try id or username;UnknownFormat=c;d;MalformedIdentifier=d;TooManyValues=More than 20;MalformedQuery=e=f',
  },
  { LEGACY_ERROR_STATUSES: 'MissingParameter=404;MissingEvent=400;UnknownEvent=404' },
  ...['ProfileLookup', 'AppLookup', 'ProfileLookup-if-missing', 'ProfileLookup-if-empty'].map((value) => ({
    LEGACY_OTHER_EVENT: value,
  })),
  {
    LEGACY_MAX_VALUES: '1',
    LEGACY_UNKNOWN: 'refuse',
    LEGACY_UNKNOWN_TEXT: '{value}',
    LEGACY_UNKNOWN_STATUS: '404',
  },
])('%j', async (settings) => {
  const gateway = await startGateway(settings)
  onTestFinished(gateway.close)
  const told = await tell(gateway.url)
  expect(told).toMatchObject({ ...defaultsBeside(settings), ...settings })
  for (const name of silent) expect(told[name], name).toBe(settings[name])
})

test.each([401, 403, 407])(
  'a service that answers what it does not have with %i has none of the ways',
  async (status) => {
    const gateway = await startGateway()
    onTestFinished(gateway.close)
    const front = createServer(async ({ url = '' }, response) => {
      if (url.includes(UNKNOWN)) return void response.writeHead(status).end('{"Error":"No"}')
      const answer = await fetch(gateway.url + url)
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
      response.end(await answer.text())
    })
    front.listen(0, '127.0.0.1')
    await once(front, 'listening')
    onTestFinished(() => void front.close())
    const address = front.address()
    const told = await tell(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
    expect(told).toMatchObject({ LEGACY_NUMBERS: 'number' })
    for (const name of ['LEGACY_UNKNOWN', 'LEGACY_EMPTY', ...silent] as const)
      expect(told[name]).toBeUndefined()
  },
)

test.each([401, 403, 429])('a firewall that answers a word with %i refuses its client', async (status) => {
  const gateway = await startGateway()
  onTestFinished(gateway.close)
  const { url, close } = await startAnswering(async ({ url: target = '' }, response) => {
    if (/Users=(?:\d+:)?abc$/.test(target)) return void response.writeHead(status).end('{"Error":"No"}')
    const answer = await fetch(gateway.url + target)
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    response.end(await answer.text())
  })
  onTestFinished(close)
  const told = await tell(url.slice(0, -1))
  expect(told).toMatchObject({ LEGACY_NUMBERS: 'number' })
  expect(told.LEGACY_MALFORMED).toBeUndefined()
})

/** What an answer without entries would be, nobody sees where there is none; nor a status of its own. */
function defaultsBeside({ LEGACY_UNKNOWN = 'omit' }: Readonly<Record<string, string>>): object {
  const { LEGACY_EMPTY, ...others } = defaults
  return LEGACY_UNKNOWN === 'omit' ? defaults : others
}
