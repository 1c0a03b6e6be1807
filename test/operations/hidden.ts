// Nothing secret is on the page for operators: no password, header, key or file that settings name, and nothing
// that clients have asked for.

import { expect } from 'vitest'
import { type Looked, plain } from './look.ts'

export const SECRET = 'Zq7xJv9kWm'
/** Not even half of it may be seen, in whatever case. */
const HALVES = [SECRET.slice(0, 5), SECRET.slice(5)]

export const expectHidden = ({ body, headers }: Looked) => {
  const shown = (body + JSON.stringify(headers)).toLowerCase()
  for (const half of HALVES) if (shown.includes(half.toLowerCase())) expect(plain(body)).toBe('hidden')
}

/** What clients tell of themselves and ask for. */
export async function askAll(url: string): Promise<void> {
  const headers = {
    Referer: `https://portal.example/${SECRET}?${SECRET}`,
    Cookie: SECRET,
    Authorization: `Bearer ${SECRET}`,
    'X-Forwarded-For': '203.0.113.77',
    'X-Request-Id': SECRET,
    'User-Agent': 'Widget/1.0',
  }
  const queries = [
    '/?Event=ProfileLookup&Users=1',
    `/?Event=ProfileLookup&MethodOfAccessingUserInformation=username&Users=${SECRET}`,
    `/?Event=ProfileLookup&Users=${SECRET}`,
    ...['Event', 'Format', 'Users', SECRET].map((name) => `/?Event=ProfileLookup&Users=1&${name}=${SECRET}`),
    `/?Event=${SECRET}`,
    `/${SECRET}?${SECRET}`,
    `/graphql?query=${encodeURIComponent(`{ users(by: USERNAME, values: ["${SECRET}"]) { username } }`)}`,
    `/graphql?query=${encodeURIComponent(`{ ${SECRET} }`)}`,
  ]
  for (const query of queries) await (await fetch(url + query, { headers })).arrayBuffer()
}
