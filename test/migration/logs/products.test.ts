// Lines of servers, proxies and clouds as their documentation has them.

import { expect, test } from 'vitest'
import { readLog } from './reading.ts'

const query = 'Event=ProfileLookup&Users=1:2'
const noon = Date.UTC(2026, 10, 22, 12, 55, 36)
const local = new Date(2026, 10, 22, 12, 55, 36).getTime()
const address = '203.0.113.9'
const userAgent = 'Desktop/2.1'
const all = { query, address, userAgent, time: noon }
const noAgent = { query, address, userAgent: '', time: noon }
const json = (...entries: readonly object[]) => entries.map((entry) => JSON.stringify(entry))
const clfTime = '[22/Nov/2026:12:55:36 +0000]'
const request = `"GET /?${query} HTTP/1.1"`

test.each<[string, said: string, lines: readonly string[], ...found: readonly object[]]>([
  [
    'Envoy, default',
    'Envoy',
    [
      `[2026-11-22T12:55:36.000Z] ${request} 200 - 0 135 4 4 "203.0.113.9,10.0.0.1" "${userAgent}" "cc21d9b0" "old.example" "10.0.2.1:80"`,
    ],
    all,
  ],
  [
    'Istio',
    'Envoy',
    [
      `[2026-11-22T12:55:36.000Z] ${request} 200 - via_upstream - "-" 0 135 4 4 "203.0.113.9" "${userAgent}" "84961386" "old.example" "10.44.1.27:80" inbound|80|| 127.0.0.6:1 10.44.1.27:80 10.44.1.23:4 - default`,
      `[2026-11-22T12:55:36.000Z] ${request} 404 NR route_not_found - "no route, \\"a\\"" 0 0 0 - "203.0.113.9" "${userAgent}" "8" "old.example" "-" - - 10.44.1.27:80 10.44.1.23:4 - -`.replaceAll(
        '\\"',
        "'",
      ),
    ],
    all,
    all,
  ],
  [
    'Cloudflare Logpush',
    'JSON',
    json(
      {
        ...{ ClientIP: address, ClientRequestHost: 'old.example', ClientRequestMethod: 'GET' },
        ...{ ClientRequestURI: `/?${query}`, ClientRequestPath: '/', ClientRequestUserAgent: userAgent },
        ...{
          EdgeEndTimestamp: '2026-11-22T12:55:37Z',
          EdgeStartTimestamp: '2026-11-22T12:55:36Z',
          RayID: 'a',
        },
      },
      {
        ...{
          ClientRequestMethod: 'GET',
          ClientRequestURI: `/?${query}`,
          ClientIP: address,
          ClientSrcPort: 1,
        },
        ...{ EdgeStartTimestamp: noon * 1_000_000, ClientRequestUserAgent: userAgent, OriginIP: '10.0.0.1' },
      },
    ),
    all,
    all,
  ],
  [
    'Azure Application Gateway',
    'JSON',
    json({
      ...{
        timeStamp: '2026-11-22T12:55:36+00:00',
        resourceId: '/SUBSCRIPTIONS/A',
        category: 'ApplicationGatewayAccessLog',
      },
      properties: {
        ...{
          instanceId: 'appgw_2',
          clientIP: address,
          clientPort: 45057,
          httpMethod: 'GET',
          requestUri: '/',
        },
        ...{
          originalRequestUriWithArgs: `/?${query}`,
          requestQuery: 'SERVER-STATUS=200',
          userAgent,
          host: 'x',
        },
      },
    }),
    all,
  ],
  [
    'Azure Application Gateway, without original targets',
    'JSON',
    json({
      time: '2026-11-22T12:55:36Z',
      properties: { clientIP: address, httpMethod: 'GET', requestUri: '/', requestQuery: query, userAgent },
    }),
    all,
  ],
  [
    'Azure App Service, with its properties as text',
    'JSON with JSON',
    json({
      ...{ time: '2026-11-22T12:55:36.0000000Z', EventTime: 'x', category: 'AppServiceHTTPLogs' },
      properties: JSON.stringify({
        ...{ CsMethod: 'GET', CsUriStem: '/', CsUriQuery: query, CIp: address, UserAgent: userAgent },
      }),
    }),
    all,
  ],
  [
    'Google Cloud',
    'JSON',
    json({
      httpRequest: {
        ...{ requestMethod: 'GET', requestUrl: `http://old.example/?${query}`, status: 200, userAgent },
        ...{ remoteIp: address, serverIp: '10.0.0.1', latency: '0.1s' },
      },
      ...{ insertId: 'a', timestamp: '2026-11-22T12:55:36Z', receiveTimestamp: '2026-11-22T12:59:36Z' },
    }),
    all,
  ],
  [
    'AWS WAF',
    'JSON',
    json({
      ...{ timestamp: noon, action: 'ALLOW' },
      httpRequest: { clientIp: address, country: 'X', uri: '/', args: query, httpMethod: 'GET' },
    }),
    noAgent,
  ],
  [
    'nginx of Kubernetes (ingress-nginx)',
    'common or combined format',
    [
      `203.0.113.9 - - ${clfTime} ${request} 200 34 "-" "${userAgent}" 512 0.004 [old-80] [] 10.0.0.1:80 34 0.004 200 a1b2`,
    ],
    all,
  ],
  [
    'Django',
    'common or combined format',
    [`[22/Nov/2026 12:55:36] ${request} 200 34`],
    { query, address: '', time: local },
  ],
  [
    'werkzeug',
    'common or combined format',
    [`INFO:werkzeug:203.0.113.9 - - [22/Nov/2026 12:55:36] ${request} 200 -`],
    { ...noAgent, time: local },
  ],
  [
    'uvicorn',
    'uvicorn',
    [`INFO:     203.0.113.9:4711 - ${request} 200 OK`, 'INFO:     Started server'],
    { ...noAgent, time: null },
  ],
  [
    "PHP's own server",
    "PHP's own server",
    [
      `[Sun Nov 22 12:55:36 2026] 203.0.113.9:57648 Accepted`,
      `[Sun Nov 22 12:55:36 2026] 203.0.113.9:57648 [200]: GET /?${query}`,
      `[Sun Nov 22 12:55:36 2026] [::1]:57648 [404]: GET /?${query} - No such file or directory`,
      `[Sun Nov 22 12:55:36 2026] 203.0.113.9:57648 [200]: /?${query}`,
    ],
    { ...noAgent, time: local },
    { query, address: '::1' },
    { ...noAgent, method: 'GET' },
  ],
  [
    'uWSGI',
    'uWSGI',
    [
      `[pid: 71|app: 0|req: 1/1] 203.0.113.9 () {40 vars in 600 bytes} [Sun Nov 22 12:55:36 2026] GET /?${query} => generated 34 bytes in 1 msecs (HTTP/1.1 200) 2 headers in 71 bytes`,
    ],
    { ...noAgent, time: local },
  ],
  [
    'Amazon S3',
    'Amazon S3',
    [
      `79a59d old ${clfTime} 203.0.113.9 79a59d 3E57427F REST.GET.OBJECT - ${request} 200 - 34 - 7 - "-" "${userAgent}" -`,
    ],
    all,
  ],
  [
    'LTSV',
    'LTSV',
    [
      `time:22/Nov/2026:12:55:36 +0000\thost:203.0.113.9\treq:GET /?${query} HTTP/1.1\tua:${userAgent}`,
      `ua:${userAgent}\turi:/?${query}\tmethod:GET\tforwardedfor:203.0.113.9, 10.0.0.1\ttime:[22/Nov/2026:12:55:36 +0000]`,
    ],
    all,
    all,
  ],
  [
    'logfmt, as routers in clouds write it',
    'logfmt',
    [`at=info method=GET path="/?${query}" host=old.example fwd="203.0.113.9" protocol=http status=200`],
    { query, address },
  ],
  [
    'logfmt with a time before it',
    'logfmt',
    [
      `2026-11-22T12:55:36+00:00 router[web]: method=GET path=/?${query} remote_addr=203.0.113.9 ua="a \\"b\\""`,
    ],
    { query, address, userAgent: 'a "b"', time: noon },
  ],
  [
    'logfmt that begins with a time',
    'logfmt',
    [`time=2026-11-22T12:55:36Z level=info method=GET path=/?${query} remote_addr=203.0.113.9`],
    { query, address, time: noon },
  ],
  [
    'Express, which rewrites the url of mounted programs',
    'JSON',
    [`{"method":"GET","url":"/?Event=a","originalUrl":"/?${query}"}`],
    { query },
  ],
  ['JSON after a byte order mark', 'JSON', [`\ufeff{"method":"GET","uri":"/?${query}"}`], { query }],
  [
    'Squid',
    'Squid',
    [
      `${noon / 1000}.000    310 203.0.113.9 TCP_MISS/200 4 GET http://old.example/?${query} - HIER_DIRECT/10.0.0.1 text/html`,
    ],
    noAgent,
  ],
  [
    'morgan, tiny',
    'request lines with a status',
    [`GET /?${query} 200 34 - 1.234 ms`],
    { query, address: '' },
  ],
  [
    'HAProxy, with IPv6 and without captures',
    'HAProxy',
    [
      `2001:db8::1:5000 [22/Nov/2026:12:55:36.000] old~ old/a 0/0/0/1/1 200 79 - - ---- 1/1/0/0/0 0/0 ${request}`,
    ],
    { query, address: '2001:db8::1', time: local },
  ],
  [
    'nginx, with times before the quotes',
    'common or combined format',
    [`203.0.113.9 - - ${clfTime} ${request} 200 34 0.004 0.003 "-" "${userAgent}"`],
    all,
  ],
  [
    'JSON with a rewritten path beside the request',
    'JSON',
    [
      `{"t":"2026-11-22T12:55:36Z","ip":"203.0.113.9","request":"GET /?${query} HTTP/1.1","uri":"/index.php","args":"${query}"}`,
      `{"t":"2026-11-22T12:55:36Z","ip":"203.0.113.9","method":"GET","uri":"/","url":"/?${query}"}`,
    ],
    noAgent,
    noAgent,
  ],
  [
    'Logstash for Apache',
    'JSON',
    json({
      ...{ clientip: address, verb: 'GET', request: `/?${query}`, httpversion: '1.1', response: '200' },
      ...{ agent: `"${userAgent}"`, referrer: '"-"', timestamp: '22/Nov/2026:12:55:36 +0000' },
    }),
    { ...all, referer: '' },
  ],
  [
    'Envoy in JSON',
    'JSON',
    json({
      ...{ ':method': 'GET', ':path': `/?${query}`, start_time: '2026-11-22T12:55:36.000Z' },
      ...{ 'x-forwarded-for': address, 'user-agent': userAgent },
    }),
    all,
  ],
  [
    'two addresses without a name',
    'common or combined format',
    [`203.0.113.9, 10.0.0.1 - - ${clfTime} ${request} 200 34 "-" "${userAgent}"`],
    all,
  ],
  [
    'Logstash for nginx (ECS)',
    'JSON',
    json({
      ...{
        '@timestamp': '2026-11-22T12:55:36.000Z',
        message: 'x',
        log: { file: { path: '/var/log/a.log' } },
      },
      ...{
        http: { request: { method: 'GET', referrer: 'https://a.example' }, response: { status_code: 200 } },
      },
      ...{
        url: { original: `/?${query}` },
        source: { address, ip: address },
        user_agent: { original: userAgent },
      },
      ...{ host: { ip: ['10.0.0.1'], name: 'web' }, agent: { type: 'filebeat', version: '8.0' } },
    }),
    { ...all, referer: 'https://a.example' },
  ],
  [
    'Bunyan and restify, in lower case',
    'JSON',
    json({
      time: '2026-11-22T12:55:36.000Z',
      req: { method: 'get', url: `/?${query}`, headers: { 'user-agent': userAgent } },
      remoteAddress: address,
    }),
    { ...all, method: 'GET' },
  ],
])('%s', async (_, said, lines, ...found) => {
  const read = await readLog(lines)
  expect(read.lookups).toMatchObject(found)
  expect(read.said).toEqual([`Reading a.log as ${said}.`])
  expect(read.log.requestsUnread).toBe(0)
})

test.each([
  ['CSV', `"2026-11-22T12:55:36Z","203.0.113.9","GET","/?${query}","HTTP/1.1",200`],
  ['a table of Markdown', `| 203.0.113.9 | GET /?${query} | 200 |`],
  ['W3C without a header', `2026-11-22 12:55:36 10.0.0.1 GET / ${query} 80 - 203.0.113.9 Desktop/2.1 - 200`],
  ['a header of other fields', `#Fields: date time x-method\n2026-11-22 12:55:36 GET?${query}`],
  [
    'JSON objects without a separator',
    `{"method":"GET","path":"/?${query}"}{"method":"GET","path":"/?${query}"}`,
  ],
  ['a JSON array of texts', JSON.stringify([`203.0.113.9 - - ${clfTime} ${request} 200 34`])],
])('%s is not read, and the account says so', async (_, line) => {
  const { lookups, log } = await readLog(`${line}\n`)
  expect(lookups).toEqual([])
  expect(log).toMatchObject({ requestsRead: 0, requestsUnread: 1 })
})
