// Requests of each kind, whose parts all contain a secret word.

import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { talking } from '../http/raw.ts'

/** The secret word in a query, a value, a header, the data or an address. */
export const telling = /zq7|77007700|127\.0\.0\.77|203\.0\.113\.77/i

const address = '127.0.0.77'
const headers = {
  ...{
    'User-Agent': 'zq7',
    Referer: 'https://zq7.example/zq7',
    Cookie: 'zq7=zq7',
    Authorization: 'Bearer zq7',
  },
  ...{ Forwarded: 'for=203.0.113.77', 'X-Forwarded-For': '203.0.113.77', 'X-Forwarded-Host': 'zq7.example' },
  ...{ 'Accept-Language': 'zq7', Host: 'zq7.example' },
}

export const data = {
  users: JSON.stringify({
    ...{ id: 7700770077, username: 'zq7-found', chatId: 'zq7-chat', displayName: 'zq7 shown' },
    ...{ rank: 1, joinDate: 1, isConfirmed: true, banned: false },
  }),
  apps: JSON.stringify({
    ...{ id: 7700770078, title: 'zq7 title', version: '1.0.0', category: 1 },
    ...{ changelogLink: 'https://zq7.example/log', downloadLink: 'https://zq7.example/7700770078/' },
  }),
}

const profile = '/?Event=ProfileLookup&Users'
const by = (method: string, users: string) =>
  `/?Event=ProfileLookup&MethodOfAccessingUserInformation=${method}&Users=${users}`
const inFormats = (...targets: readonly string[]) =>
  ['JSON', 'XML'].flatMap((format) => targets.map((target) => `${target}&Format=${format}`))

/** Lookups that are answered, unless the data cannot be reached. */
export const lookups = [
  ...inFormats(
    `${profile}=7700770077:7700770079`,
    by('username', 'ZQ7-Found:zq7-missing'),
    by('chat', 'zq7-chat:zq7-gone'),
    '/?Event=AppLookup&Apps=7700770078',
  ),
  '/graphql?query={users(by:USERNAME,values:["zq7-found"]){username,displayName}}',
]

const refused = [
  ...inFormats(`${profile}=zq7`, `${profile}=1&Users=zq7`, by('zq7', 'zq7')),
  ...[`${profile}=7700770077&Format=zq7`, '/zq7?zq7=zq7', '/graphql?query={zq7}', '/graphql?query={zq7'],
  '/graphql?query={__typename}&variables={zq7',
  `/graphql?query={${'users(values:["zq7"]){id}'.repeat(200)}}`,
]

const query = 'query zq7($v:[ID!]!){zq7:users(values:$v){id}}'
const bodies = [
  ['application/json', JSON.stringify({ operationName: 'zq7', query, variables: { v: ['7700770077'] } })],
  ['application/json', '{zq7'],
  ['application/json', `{"query":"zq7${' '.repeat(70_000)}"}`],
  ['text/zq7', 'zq7'],
] as const

/** Node's parser refuses these. */
const unreadable = [
  'GET /?Users=zq7 zq7 HTTP/1.1\r\n\r\n',
  `GET ${by('username', 'zq7\xc3\xa9')} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET ${profile}=${'zq7'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  `GET ${profile}=${'zq7'.repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\nX-Zq7: ${'zq7'.repeat(100_000)}\r\n\r\n`,
  'zq7\r\n\r\n',
]

export async function ask(
  url: string,
  target: string,
  options: RequestOptions = {},
  body = '',
): Promise<void> {
  const sent = request(`${url}${encodeURI(target).replaceAll('%25', '%')}`, {
    ...options,
    headers: { ...headers, ...options.headers },
    localAddress: address,
  })
  sent.end(body)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject)
  })
  await text(response)
}

/** @returns the number of requests */
export async function askAll(url: string): Promise<number> {
  for (const target of [...lookups, ...refused]) await ask(url, target)
  for (const [type, body] of bodies)
    await ask(url, '/graphql', { method: 'POST', headers: { 'Content-Type': type } }, body)
  for (const method of ['PUT', 'HEAD']) await ask(url, lookups[0] ?? '', { method })
  for (const page of ['/', '/graphql']) await ask(url, page, { headers: { Accept: 'text/html' } })
  await ask(url, lookups[0] ?? '', { headers: { Host: '[zq7' } })
  for (const bytes of unreadable)
    await talking(url, async ({ write, ended }) => {
      write(bytes)
      await ended(30_000)
    })
  return lookups.length + refused.length + bodies.length + 5 + unreadable.length
}
