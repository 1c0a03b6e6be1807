// Formats that operators describe with --format: nginx's own variables, and layouts of other servers in them.

import { expect, test } from 'vitest'
import { readLog } from './reading.ts'

const query = 'Event=ProfileLookup&Users=1:2'
const target = `/?${query}`
const noon = Date.UTC(2026, 10, 22, 12, 55, 36)
const local = new Date(2026, 10, 22, 12, 55, 36).getTime()
const ip = '203.0.113.9'
const ua = 'Desktop/2.1 (a; b)'
const all = { method: 'GET', query, address: ip, userAgent: ua, time: noon }
const { userAgent: _, ...noAgent } = all
const clf = '22/Nov/2026:12:55:36 +0000'
const iso = '2026-11-22T12:55:36+00:00'
const request = `GET ${target} HTTP/1.1`

test('a line that the description does not match is not read', async () => {
  const { lookups, log } = await readLog([request, 'another line'], {
    format: '$request_method $request_uri $_',
  })
  expect(lookups).toHaveLength(1)
  expect(log.notCounted).toMatchObject([{ reason: 'unreadable', lines: 1, example: 'another line' }])
})

test.each<[format: string, line: string, found: object]>([
  [
    '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" "$http_x_forwarded_for"',
    `10.0.0.1 - - [${clf}] "${request}" 200 34 "-" "${ua}" "${ip}, 10.0.0.2"`,
    all,
  ],
  ['$msec|$remote_addr|$request|$http_user_agent', `${noon / 1000}.000|${ip}|${request}|${ua}`, all],
  [
    '"$time_iso8601","$remote_addr","$request","$status","$http_user_agent"',
    `"${iso}","${ip}","${request}","200","${ua}"`,
    all,
  ],
  [
    '$time_iso8601;$remote_addr;$request_method;$uri;$args;$http_user_agent',
    `${iso};${ip};GET;/;${query};${'Desktop/2.1'}`,
    { ...all, userAgent: 'Desktop/2.1' },
  ],
  [
    '$date $time $zone [$remote_addr] $request_method "$request_uri" ua="$http_user_agent" $_',
    `2026-11-22 13:55:36,000 +0100 [${ip}] GET "${target}" ua="${ua}" 17 ms`,
    all,
  ],
  [
    '{"t":"$time_iso8601","ip":"$remote_addr","r":"$request","a":"$http_user_agent"}',
    `{"t":"${iso}","ip":"${ip}","r":"${request}","a":"${ua}"}`,
    all,
  ],
  [
    '[$time] $remote_addr [$status]: $request_method $request_uri',
    `[Sun Nov 22 12:55:36 2026] ${ip}:5764 [200]: GET ${target}`,
    { ...noAgent, time: local },
  ],
  ['$uri$is_args$args $remote_addr', `${target} ${ip}`, { query, address: ip }],
  [
    '$remote_addr ($http_x_forwarded_for) [$time_local] "$request"',
    `10.0.0.1 (-) [${clf}] "${request}"`,
    { ...noAgent, address: '10.0.0.1' },
  ],
  [
    '"$http_user_agent" $remote_addr "$request" "$time_local"',
    `"${ua} \\"x\\"" ${ip} "${request}" "${clf}"`,
    { ...all, userAgent: `${ua} "x"` },
  ],
  ['.*+?^($remote_addr)[$time_local]{$request}\\$status|', `.*+?^(${ip})[${clf}]{${request}}\\200|`, noAgent],
  // A description may end before the line does.
  [
    '[$time_local] $remote_addr "$request" $status',
    `[${clf}] ${ip} "${request}" 200 34 "-" "${ua}"`,
    noAgent,
  ],
  ['$status:$remote_addr|$request_uri|', `200:${ip}|${target}|`, { query, address: ip }],
  // Apache's %q begins with the question mark.
  ['$date $zone|$request_method|$uri|$args|$status', `${clf}|GET|/|?${query}|200`, { query, time: noon }],
])('%s', async (format, line, found) => {
  for (const content of [[line], [`${line}\r`], [JSON.stringify({ log: `${line}\n`, stream: 'stdout' })]]) {
    const { lookups, log } = await readLog(content, { format })
    expect(lookups).toMatchObject([found])
    expect(log).toMatchObject({
      requestsUnread: 0,
      files: [{ format: expect.stringContaining('described by --format') }],
    })
  }
})
