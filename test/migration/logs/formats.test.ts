// Logs of web servers, proxies, clouds and containers: lines that nginx, Apache and HAProxy wrote, and lines
// of other programs as their documentation has them.

import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readLog } from './reading.ts'

const query = 'Event=ProfileLookup&Users=1:2'
const target = `/?${query}`
const address = '203.0.113.9'
const userAgent = 'Desktop/2.1'
const noon = Date.UTC(2026, 10, 22, 12, 55, 36)
const local = new Date(2026, 10, 22, 12, 55, 36).getTime()
const utf8 = (text: string) => Buffer.from(text).toString('latin1')
const clfTime = '[22/Nov/2026:12:55:36 +0000]'
const request = `"GET ${target} HTTP/1.1"`
const combined = (agent = userAgent, more = '') =>
  `${address} - - ${clfTime} "GET ${target}${more} HTTP/1.1" 200 34 "-" "${agent}"`
const common = 'common or combined format'

const all = { method: 'GET', query, address, userAgent, time: noon }
const noAgent = { ...all, userAgent: '' }
const noTime = { ...all, time: null }
const bare = { query, address: '', userAgent: '', time: null }

test.each<[name: string, said: string, lines: string, ...found: readonly object[]]>([
  [
    'nginx',
    common,
    String.raw`127.0.0.1 - - [22/Nov/2026:13:55:36 +0100] ${request} 200 2 "https://front.example/?a=b" "Desktop/2.1 (the \x22old\x22 one)"`,
    {
      ...{ ...all, address: '127.0.0.1', userAgent: 'Desktop/2.1 (the "old" one)' },
      referer: 'https://front.example/?a=b',
    },
  ],
  [
    'Apache, with a virtual host',
    common,
    String.raw`localhost:80 ${address} - - ${clfTime} ${request} 404 236 "-" "Desktop/2.1 (the \"old\" one)"`,
    { ...all, userAgent: 'Desktop/2.1 (the "old" one)' },
  ],
  ['a client that left early', common, `${address} - - ${clfTime} ${request} - - "-" "${userAgent}"`, all],
  ['two addresses', common, `${address}, 10.0.0.1 - - ${clfTime} ${request} 200 34 "-" "${userAgent}"`, all],
  [
    'times before the quotes',
    common,
    `${address} - - ${clfTime} ${request} 200 34 0.004 0.003 "-" "${userAgent}"`,
    all,
  ],
  ['ingress-nginx', common, `${combined()} 512 0.004 [old-80] [] 10.0.0.1:80 34 0.004 200 a1b2`, all],
  ['Django', common, `[22/Nov/2026 12:55:36] ${request} 200 34`, { ...bare, time: local }],
  [
    'werkzeug',
    common,
    `INFO:werkzeug:${address} - - [22/Nov/2026 12:55:36] ${request} 200 -`,
    { ...noAgent, time: local },
  ],
  [
    'nginx in JSON',
    'JSON',
    `{"t":"2026-11-22T12:55:36+00:00","remote_addr":"${address}","request_method":"GET","request_uri":"${target}","ua":"${userAgent}","status":200}`,
    all,
  ],
  [
    'Apache in JSON',
    'JSON',
    `{"time":"${clfTime}","remoteIP":"${address}","request":"/","query":"?${query}","method":"GET","userAgent":"${userAgent}"}`,
    all,
  ],
  [
    'Caddy',
    'JSON',
    `{"ts":1795352136.5241024,"logger":"http.log.access.log0","request":{"remote_ip":"10.0.0.1","client_ip":"${address}","method":"GET","uri":"${target}&x=\u00e9","headers":{"User-Agent":["D\u00e9"]}}}`,
    { ...all, query: utf8(`${query}&x=\u00e9`), userAgent: utf8('D\u00e9'), time: noon + 524 },
  ],
  [
    'Traefik in JSON',
    'JSON',
    `{"ClientAddr":"${address}:5000","ClientHost":"${address}","RequestMethod":"GET","RequestPath":"${target}","StartLocal":"2026-11-22T13:55:36+01:00","StartUTC":"2026-11-22T12:55:36Z","request_User-Agent":"${userAgent}","time":"2026-11-22T13:55:37+01:00"}`,
    all,
  ],
  [
    'Cloudflare, with nanoseconds',
    'JSON',
    `{"ClientIP":"${address}","ClientRequestMethod":"GET","ClientRequestURI":"${target}","ClientRequestPath":"/","ClientRequestUserAgent":"${userAgent}","EdgeStartTimestamp":${noon}000000,"OriginIP":"10.0.0.1"}`,
    all,
  ],
  [
    'Azure Application Gateway',
    'JSON',
    `{"timeStamp":"2026-11-22T12:55:36+00:00","resourceId":"/A","properties":{"clientIP":"${address}","httpMethod":"GET","requestUri":"/","originalRequestUriWithArgs":"${target}","requestQuery":"SERVER-STATUS=200","userAgent":"${userAgent}"}}`,
    all,
  ],
  [
    'Azure App Service, with its properties as text',
    'JSON',
    `{"time":"2026-11-22T12:55:36.0000000Z","properties":${JSON.stringify(`{"CsMethod":"GET","CsUriStem":"/","CsUriQuery":"${query}","CIp":"${address}","UserAgent":"${userAgent}"}`)}}`,
    all,
  ],
  [
    'Google Cloud',
    'JSON',
    `{"httpRequest":{"requestMethod":"GET","requestUrl":"http://old.example${target}","userAgent":"${userAgent}","remoteIp":"${address}","serverIp":"10.0.0.1"},"timestamp":"2026-11-22T12:55:36Z","receiveTimestamp":"2026-11-22T12:59:36Z"}`,
    all,
  ],
  [
    'AWS WAF',
    'JSON',
    `{"timestamp":${noon},"httpRequest":{"clientIp":"${address}","uri":"/","args":"${query}","httpMethod":"GET"}}`,
    noAgent,
  ],
  [
    'Logstash for Apache, with quotes in its texts',
    'JSON',
    `{"clientip":"${address}","verb":"GET","request":"${target}","agent":"\\"${userAgent}\\"","referrer":"\\"-\\"","timestamp":"22/Nov/2026:12:55:36 +0000"}`,
    { ...all, referer: '' },
  ],
  [
    'Logstash for nginx (ECS)',
    'JSON',
    `{"@timestamp":"2026-11-22T12:55:36.000Z","message":"x","log":{"file":{"path":"/var/log/a.log"}},"http":{"request":{"method":"GET"}},"url":{"original":"${target}"},"source":{"ip":"${address}"},"user_agent":{"original":"${userAgent}"},"host":{"ip":["10.0.0.1"]},"agent":{"type":"filebeat"}}`,
    all,
  ],
  [
    'Envoy in JSON',
    'JSON',
    `{":method":"GET",":path":"${target}","start_time":"2026-11-22T12:55:36.000Z","x-forwarded-for":"${address}, 10.0.0.1","user-agent":"${userAgent}"}`,
    all,
  ],
  [
    'pino and restify, in lower case',
    'JSON',
    `{"time":${noon},"req":{"method":"get","url":"${target}","query":{"Event":"ProfileLookup"},"headers":{"user-agent":"${userAgent}"}},"remoteAddress":"${address}"}`,
    all,
  ],
  ['Express', 'JSON', `{"method":"GET","url":"/?Event=a","originalUrl":"${target}"}`, bare],
  [
    'JSON with a rewritten path beside the request',
    'JSON',
    `{"request":"GET ${target} HTTP/1.1","uri":"/index.php","args":"${query}"}`,
    bare,
  ],
  ['JSON without a method', 'JSON', `{"request_uri":"${target}"}`, bare],
  ['JSON with a host and no scheme', 'JSON', `{"method":"GET","url":"old.example:80${target}"}`, bare],
  [
    'JSON of bytes that are not UTF-8',
    'JSON',
    `{"method":"GET","uri":"/","args":"${query}&x=\xff"}`,
    { ...bare, query: `${query}&x=\u00ff` },
  ],
  [
    'HAProxy',
    'HAProxy',
    `<134>Nov 22 12:55:36 web haproxy[71]: ${address}:5000 [22/Nov/2026:12:55:36.000] old old/<NOSRV> 0/-1/-1/-1/0 200 79 - - LR-- 1/1/0/0/0 0/0 {Desktop/2.1 (the #22old#22 one)|https://front.example/} ${request}`,
    { ...all, userAgent: 'Desktop/2.1 (the "old" one)', referer: 'https://front.example/', time: local },
  ],
  [
    'HAProxy, with IPv6 and without captures',
    'HAProxy',
    `2001:db8::1:5000 [22/Nov/2026:12:55:36.000] old~ old/a 0/0/0/1/1 200 79 - - ---- 1/1/0/0/0 0/0 ${request}`,
    { ...noAgent, address: '2001:db8::1', time: local },
  ],
  [
    'Envoy',
    'Envoy',
    `[2026-11-22T12:55:36.000Z] ${request} 200 - 0 135 4 4 "${address},10.0.0.1" "${userAgent}" "cc21" "old.example" "10.0.2.1:80"`,
    all,
  ],
  [
    'Istio',
    'Envoy',
    `[2026-11-22T12:55:36.000Z] ${request} 200 - via_upstream - "-" 0 135 4 4 "${address}" "${userAgent}" "8496" "old.example" "10.44.1.27:80" inbound|80|| - default`,
    all,
  ],
  [
    'IIS, whose fields may change within a file',
    'W3C',
    [
      '#Software: Microsoft Internet Information Services 10.0',
      '#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query c-ip cs(User-Agent) sc-status',
      `2026-11-22 12:55:36 10.0.0.1 GET / ${query} ${address} Desktop/2.1+(a) 200`,
      '#Fields: time date c-ip cs(Referer) cs-method cs-uri-stem cs-uri-query',
      `12:55:36 2026-11-22 ${address} https://front.example/ GET / ${query}`,
    ].join('\r\n'),
    { ...all, userAgent: 'Desktop/2.1 (a)' },
    { ...noAgent, referer: 'https://front.example/' },
  ],
  [
    'CloudFront, which encodes twice',
    'W3C',
    `#Version: 1.0\n#Fields: date time x-edge-location c-ip cs-method cs-uri-stem sc-status cs(User-Agent) cs-uri-query\n2026-11-22\t12:55:36\tFRA2\t2001:db8::1\tGET\t/\t200\tDesktop/2.1%2520(a)\tEvent=a&Users=1%253A2%20`,
    { ...all, query: 'Event=a&Users=1%3A2%20', address: '2001:db8::1', userAgent: 'Desktop/2.1 (a)' },
  ],
  [
    'AWS load balancers',
    'AWS load balancer',
    `https 2026-11-22T12:55:36.000000Z app/old/50 ${address}:2817 10.0.0.1:80 0.001 0.002 0.000 200 200 34 366 "GET https://old.example:443${target} HTTP/1.1" "${userAgent}" ECDHE TLSv1.2 arn:x\n2026-11-22T12:55:36.000000Z old ${address}:2817 10.0.0.1:80 0.001 0.002 0.000 200 200 34 366 "GET http://old.example:80${target} HTTP/1.1" "${userAgent}" - -`,
    all,
    all,
  ],
  [
    'Amazon S3',
    'Amazon S3',
    `79a59d old ${clfTime} ${address} 79a59d 3E57427F REST.GET.OBJECT - ${request} 200 - 34 - 7 - "-" "${userAgent}" -`,
    all,
  ],
  [
    'LTSV',
    'LTSV',
    `time:22/Nov/2026:12:55:36 +0000\thost:${address}\treq:GET ${target} HTTP/1.1\tua:${userAgent}\nua:${userAgent}\turi:${target}\tmethod:GET\tforwardedfor:${address}, 10.0.0.1\ttime:${clfTime}`,
    all,
    all,
  ],
  [
    'logfmt',
    'logfmt',
    `at=info method=GET path="${target}" host=old.example fwd="${address}" ua="a \\"b\\"" status=200\ntime=2026-11-22T12:55:36Z level=info method=GET path=${target} remote_addr=${address}`,
    { ...noTime, userAgent: 'a "b"' },
    noAgent,
  ],
  [
    'logfmt of a cloud',
    'logfmt',
    `2026-11-22T12:55:36+00:00 router[web]: method=GET path=${target} remote_addr=${address}`,
    noAgent,
  ],
  [
    'Squid',
    'Squid',
    `${noon / 1000}.000    310 ${address} TCP_MISS/200 4 GET http://old.example${target} - HIER_DIRECT/10.0.0.1 text/html`,
    noAgent,
  ],
  ['uvicorn', 'uvicorn', `INFO:     ${address}:4711 - ${request} 200 OK`, { ...noTime, userAgent: '' }],
  [
    "PHP's own server",
    "PHP's own server",
    `[Sun Nov 22 12:55:36 2026] ${address}:57648 Accepted\n[Sun Nov 22 12:55:36 2026] ${address}:57648 [200]: GET ${target}\n[Sun Nov 22 12:55:36 2026] [::1]:57648 [404]: ${target} - No such file`,
    { ...noAgent, time: local },
    { ...noAgent, address: '::1', time: local },
  ],
  [
    'uWSGI',
    'uWSGI',
    `[pid: 71|app: 0|req: 1/1] ${address} () {40 vars in 600 bytes} [Sun Nov 22 12:55:36 2026] GET ${target} => generated 34 bytes in 1 msecs (HTTP/1.1 200)`,
    { ...noAgent, time: local },
  ],
  ['morgan', 'request lines with a status', `GET ${target} 200 34 - 1.234 ms`, bare],
  ['request targets', 'request targets', `${target}\nGET ${target} HTTP/1.0\n?${query}`, bare, bare, bare],
])('%s', async (_, said, lines, ...found) => {
  const latin = [...lines].some((one) => one === '\xff')
  const { lookups, log, ...read } = await readLog(Buffer.from(`${lines}\n`, latin ? 'latin1' : 'utf8'))
  expect(lookups).toMatchObject(found)
  expect(read.said).toEqual([`Reading a.log as ${said}.`])
  expect(log).toMatchObject({ requestsUnread: 0, files: [{ isRead: true, problem: null }] })
  expect((await readLog(gzipSync(Buffer.from(lines, latin ? 'latin1' : 'utf8')))).lookups).toEqual(lookups)
})

test('the format may change within a file', async () => {
  const old = `${combined('a'.repeat(500))}\n`
  const fresh = `{"request_method":"GET","request_uri":"${target}","ua":"${'a'.repeat(500)}"}\n`
  const error = '2026-11-22 12:55:36 ERROR Something is wrong\n'
  const { lookups, said, log } = await readLog(
    old.repeat(1000) + error.repeat(200) + fresh.repeat(2000) + (old + fresh).repeat(20),
  )
  expect(said).toEqual([`Reading a.log as ${common}.`, 'Reading a.log as JSON.'])
  expect(lookups).toHaveLength(3040)
  expect(log).toMatchObject({
    notCounted: [{ reason: 'unreadable', lines: 200 }],
    files: [{ format: `${common}, JSON` }],
  })
})

test.each([
  ['CSV', `"2026-11-22T12:55:36Z","${address}","GET","${target}","HTTP/1.1",200`],
  ['a table of Markdown', `| ${address} | GET ${target} | 200 |`],
  ['W3C without a header', `2026-11-22 12:55:36 10.0.0.1 GET / ${query} 80 - ${address}`],
  ['a header of other fields', `#Fields: date time x-method\n2026-11-22 12:55:36 GET?${query}`],
  ['JSON without a separator', `{"method":"GET","path":"${target}"}{"method":"GET","path":"${target}"}`],
  ['a JSON array of texts', JSON.stringify([`${address} - - ${clfTime} ${request} 200 34`])],
])('%s is not read, and the account says so', async (_, line) => {
  const { lookups, log } = await readLog(`${line}\n`)
  expect(lookups).toEqual([])
  expect(log).toMatchObject({ requestsRead: 0, requestsUnread: 1 })
})
