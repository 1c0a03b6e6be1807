// Requests of each kind whose every part tells something that only their client should know.

import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { talking } from '../http/raw.ts'

/** What stands in a query, a value, a header, the data or an address, and nowhere else. */
export const telling = /zq7|77007700|127\.0\.0\.77|203\.0\.113\.77/i

const address = '127.0.0.77'
const headers = {
  'User-Agent': 'zq7',
  Referer: 'https://zq7.example/zq7',
  Cookie: 'zq7=zq7',
  Authorization: 'Bearer zq7',
  Forwarded: 'for=203.0.113.77',
  'X-Forwarded-For': '203.0.113.77',
  'X-Forwarded-Host': 'zq7.example',
  'Accept-Language': 'zq7',
  Host: 'zq7.example',
}

export const data = {
  users: [
    ...['{"id":7700770077,"username":"zq7-found","chatId":"zq7-chat","displayName":"zq7 shown"'],
    ...['"rank":1,"joinDate":1,"isConfirmed":true,"banned":false}'],
  ].join(),
  apps: [
    ...['{"id":7700770078,"title":"zq7 title","version":"1.0.0","category":1'],
    ...['"changelogLink":"https://zq7.example/log","downloadLink":"https://zq7.example/7700770078/"}'],
  ].join(),
}

const profile = '/?Event=ProfileLookup&Users'
const by = (method: string, users: string) =>
  `/?Event=ProfileLookup&MethodOfAccessingUserInformation=${method}&Users=${users}`

/** Look-ups that are answered, unless the data cannot be reached. */
export const lookups = [
  ...['JSON', 'XML'].flatMap((format) => [
    `${profile}=7700770077:7700770079&Format=${format}`,
    `${by('username', 'ZQ7-Found:zq7-missing')}&Format=${format}`,
    `${by('chat', 'zq7-chat:zq7-gone')}&Format=${format}`,
    `/?Event=AppLookup&Apps=7700770078&Format=${format}`,
  ]),
  '/graphql?query={users(by:USERNAME,values:["zq7-found"]){username,displayName}}',
]

const refused = [
  ...['JSON', 'XML'].flatMap((format) => [
    `${profile}=zq7&Format=${format}`,
    `${profile}=1&Users=zq7&Format=${format}`,
    `${by('zq7', 'zq7')}&Format=${format}`,
    `/?Event=zq7&Format=${format}`,
    `/?Event=zq7%&Format=${format}`,
    `/?Event=ProfileLookup&zq7=zq7&Format=${format}`,
  ]),
  `${profile}=7700770077&Format=zq7`,
  '/zq7?zq7=zq7',
  '/graphql?query={zq7}',
  '/graphql?query={zq7',
  '/graphql?query={__typename}&variables={zq7',
  `/graphql?query={${'users(values:["zq7"]){id}'.repeat(200)}}`,
]

const bodies: readonly (readonly [type: string, body: string])[] = [
  [
    'application/json',
    '{"operationName":"zq7","query":"query zq7($v:[String!]!){zq7:users(values:$v){id}}","variables":{"v":["7700770077"]}}',
  ],
  ['application/json', '{"query":"{zq7}"}'],
  ['application/json', '{zq7'],
  ['application/json', `{"query":"zq7${' '.repeat(70_000)}"}`],
  ['text/zq7', 'zq7'],
]

/** For Node's parser. */
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
): Promise<number> {
  const asked = request(`${url}${encodeURI(target).replaceAll('%25', '%')}`, {
    ...options,
    headers: { ...headers, ...options.headers },
    localAddress: address,
  })
  asked.end(body)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    asked.once('response', resolve).once('error', reject)
  })
  await text(answer)
  return answer.statusCode ?? 0
}

/** @returns how many requests that were */
export async function askAll(url: string): Promise<number> {
  for (const target of [...lookups, ...refused]) await ask(url, target)
  for (const [type, body] of bodies)
    await ask(url, '/graphql', { method: 'POST', headers: { 'Content-Type': type } }, body)
  for (const method of ['PUT', 'HEAD']) await ask(url, lookups[0] ?? '', { method })
  for (const page of ['/', '/graphql']) await ask(url, page, { headers: { Accept: 'text/html' } })
  await ask(url, lookups[0] ?? '', { headers: { Host: '[zq7' } })
  for (const bytes of unreadable) {
    await talking(url, async ({ write, ended }) => {
      write(bytes)
      await ended(2000)
    })
  }
  return lookups.length + refused.length + bodies.length + 5 + unreadable.length
}
