// Lines that real servers wrote of one lookup and of bytes that are no HTTP: servers.peers.test.ts sends both
// again, and compares.

export const recorded = {
  query: 'Event=ProfileLookup&Users=1:2%203&Format=XML',
  address: '127.0.0.1',
  userAgent: 'Desktop/2.1 (the "old" one)',
  referer: 'https://front.example/?a=b',
  time: Date.UTC(2026, 10, 26, 13, 56, 20),
} as const

export interface Recording {
  readonly server: 'nginx' | 'apache2' | 'haproxy'
  /** The file's name, without `.log`. */
  readonly log: string
  /** The name by which the reader recognises it. */
  readonly name: string
  /** The format as an operator describes it, if it is not recognised. */
  readonly format?: string
  readonly lines: readonly [lookup: string, noHttp: string]
  /** What of the lookup is not in the line. */
  readonly lacks?: readonly ('userAgent' | 'referer')[]
  /** If the line has no time zone: it is read as that of this machine. */
  readonly time?: number
}

export const recordings: readonly Recording[] = [
  {
    ...{ server: 'nginx', log: 'combined', name: 'common or combined format' },
    lines: [
      String.raw`127.0.0.1 - - [26/Nov/2026:13:56:20 +0000] "GET /?Event=ProfileLookup&Users=1:2%203&Format=XML HTTP/1.1" 200 2 "https://front.example/?a=b" "Desktop/2.1 (the \x22old\x22 one)"`,
      String.raw`127.0.0.1 - - [26/Nov/2026:13:56:20 +0000] "\x16\x03\x01\x02" 400 157 "-" "-"`,
    ],
  },
  {
    ...{ server: 'nginx', log: 'json', name: 'JSON' },
    lines: [
      String.raw`{"t":"2026-11-26T13:56:20+00:00","remote_addr":"127.0.0.1","request_method":"GET","request_uri":"/?Event=ProfileLookup&Users=1:2%203&Format=XML","ua":"Desktop/2.1 (the \"old\" one)","referer":"https://front.example/?a=b","status":200}`,
      '{"t":"2026-11-26T13:56:20+00:00","remote_addr":"127.0.0.1","request_method":"","request_uri":"","ua":"","referer":"","status":400}',
    ],
  },
  {
    ...{ server: 'nginx', log: 'own', name: 'described by --format', lacks: ['referer'] },
    format:
      '$time_iso8601 $remote_addr $request_method $request_uri $status "$http_user_agent" $request_time',
    lines: [
      String.raw`2026-11-26T13:56:20+00:00 127.0.0.1 GET /?Event=ProfileLookup&Users=1:2%203&Format=XML 200 "Desktop/2.1 (the \x22old\x22 one)" 0.000`,
      '2026-11-26T13:56:20+00:00 127.0.0.1 - - 400 "-" 0.000',
    ],
  },
  {
    ...{ server: 'nginx', log: 'bars', name: 'described by --format', lacks: ['referer'] },
    format: '$msec|$remote_addr|$request|$http_user_agent',
    lines: [
      String.raw`1795701380.000|127.0.0.1|GET /?Event=ProfileLookup&Users=1:2%203&Format=XML HTTP/1.1|Desktop/2.1 (the \x22old\x22 one)`,
      String.raw`1795701380.000|127.0.0.1|\x16\x03\x01\x02|-`,
    ],
  },
  {
    ...{ server: 'apache2', log: 'combined', name: 'common or combined format' },
    lines: [
      String.raw`127.0.0.1 - - [26/Nov/2026:13:56:20 +0000] "GET /?Event=ProfileLookup&Users=1:2%203&Format=XML HTTP/1.1" 404 236 "https://front.example/?a=b" "Desktop/2.1 (the \"old\" one)"`,
      String.raw`127.0.0.1 - - [26/Nov/2026:13:56:20 +0000] "\x16\x03\x01\x02" 400 266 "-" "-"`,
    ],
  },
  {
    ...{ server: 'apache2', log: 'common', name: 'common or combined format' },
    lacks: ['userAgent', 'referer'],
    lines: [
      'localhost:80 127.0.0.1 - - [26/Nov/2026:13:56:20 +0000] "GET /?Event=ProfileLookup&Users=1:2%203&Format=XML HTTP/1.1" 404 236',
      String.raw`localhost:80 127.0.0.1 - - [26/Nov/2026:13:56:20 +0000] "\x16\x03\x01\x02" 400 266`,
    ],
  },
  {
    ...{ server: 'apache2', log: 'json', name: 'JSON', lacks: ['referer'] },
    lines: [
      String.raw`{"time":"[26/Nov/2026:13:56:20 +0000]","remoteIP":"127.0.0.1","request":"/","query":"?Event=ProfileLookup&Users=1:2%203&Format=XML","method":"GET","userAgent":"Desktop/2.1 (the \"old\" one)"}`,
      String.raw`{"time":"[26/Nov/2026:13:56:20 +0000]","remoteIP":"127.0.0.1","request":"/","query":"","method":"\x16\x03\x01\x02","userAgent":"-"}`,
    ],
  },
  {
    ...{ server: 'haproxy', log: 'stdout', name: 'HAProxy' },
    time: new Date(2026, 10, 26, 13, 56, 20).getTime(),
    lines: [
      '<134>Nov 26 13:56:20 localhost haproxy[24187]: 127.0.0.1:51280 [26/Nov/2026:13:56:20.000] old old/<NOSRV> 0/-1/-1/-1/0 200 79 - - LR-- 1/1/0/0/0 0/0 {Desktop/2.1 (the #22old#22 one)|https://front.example/?a=b} "GET /?Event=ProfileLookup&Users=1:2%203&Format=XML HTTP/1.1"',
      '<134>Nov 26 13:56:20 localhost haproxy[24187]: 127.0.0.1:51304 [26/Nov/2026:13:56:20.000] old old/<NOSRV> -1/-1/-1/-1/0 400 0 - - PR-- 1/1/0/0/0 0/0 "<BADREQ>"',
    ],
  },
]
