// The name and the version of a client, from its User-Agent.

import { expect, test } from 'vitest'
import { agentOf } from '../../../src/migration/census/user-agent.ts'

const engine = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  ['', '', ''],
  ['Updater', 'Updater', ''],
  ['Client/1.0 (Windows NT 10.0) Library/2', 'Client', '1.0'],
  ['My Client 2.1', 'My Client', '2.1'],
  ['Client (Linux)', 'Client', ''],
  ['/1.0', '/1.0', '1.0'],
  ['Java/1.8.0_291', 'Java', '1.8.0_291'],
  [`Mozilla/5.0 (X11; Linux) ${engine} Chrome/126.0.0.0 Safari/537.36`, 'Chrome', '126.0.0.0'],
  [`Mozilla/5.0 (X11; Linux) ${engine} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.1`, 'Edge', '126.0.1'],
  [`Mozilla/5.0 (Macintosh) ${engine} Version/17.5 Safari/605.1.15`, 'Safari', '17.5'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox', '128.0'],
  [`Mozilla/5.0 (iPhone) ${engine} CriOS/126.0 Mobile/15E148 Safari/604.1`, 'Chrome', '126.0'],
  ['Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)', 'Internet Explorer', '6.0'],
  ['Mozilla/5.0 (Windows NT 6.1; Trident/7.0; rv:11.0) like Gecko', 'Internet Explorer', '11.0'],
  ['Mozilla/5.0 (compatible; Crawler/2.1; +http://crawler.example/)', 'Crawler', '2.1'],
  [`Mozilla/5.0 (Windows) ${engine} Panel/1.2.3 Chrome/120.0 Electron/28.0 Safari/537.36`, 'Panel', '1.2.3'],
  ['Mozilla/5.0', 'Mozilla', ''],
  // Bytes of UTF-8, one character each.
  ['Ren\u00c3\u00a9/1', 'Ren\u00e9', '1'],
  ['A\x1b[31m/1', 'A\ufffd[31m', '1'],
])('%s', (text, family, version) => {
  expect(agentOf(text)).toEqual({ family, version })
})

test('a long User-Agent is cut', () => {
  for (const text of ['Mozilla/5.0 (', 'a/', '(', ' ', 'compatible; ', 'Mozilla/5.0 a/1 ']) {
    const { family, version } = agentOf(text.repeat(20_000))
    expect(family.length).toBeLessThanOrEqual(60)
    expect(version.length).toBeLessThanOrEqual(20)
  }
})
