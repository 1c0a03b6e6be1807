// What clients of the legacy interface send, as they sent it to a server that wrote it down, without Host and
// Accept-Encoding: legacy answers are not compressed by default.

export interface LegacyClient {
  readonly version: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
}

export const legacyClients = {
  curl: { version: 'curl 7.88', headers: ['User-Agent', 'curl/7.88.1', 'Accept', '*/*'] },
  // It makes a connection for each request.
  php: { version: "PHP 8.2's file_get_contents", headers: ['Connection', 'close'] },
  dotnet: {
    version: "Mono 6.8's HttpWebRequest",
    headers: ['User-Agent', 'OldClient/1.0'],
  },
  browser: {
    version: 'Chromium 156 from a page of another site',
    headers: [
      'Connection',
      'keep-alive',
      'sec-ch-ua-platform',
      '"Linux"',
      'User-Agent',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36',
      'sec-ch-ua',
      '"Not:A-Brand";v="8", "Chromium";v="156"',
      'sec-ch-ua-mobile',
      '?0',
      'Accept',
      '*/*',
      'Origin',
      'http://forum.example',
      'Sec-Fetch-Site',
      'cross-site',
      'Sec-Fetch-Mode',
      'cors',
      'Sec-Fetch-Dest',
      'empty',
      'Referer',
      'http://forum.example/',
      'Accept-Language',
      'en-US,en;q=0.9',
    ],
  },
} as const satisfies Readonly<Record<string, LegacyClient>>

export type LegacyClientName = keyof typeof legacyClients
