// The recorded lines, from real servers again.

import { describe, expect, onTestFinished, test } from 'vitest'
import { need } from '../../kit/programs.ts'
import { recorded, recordings } from './recordings.ts'
import { startLogging } from './servers.ts'

/** Lines without times, ports and process ids. */
const masked = (text: string) =>
  text.replaceAll(
    /\d{4}-\d\d-\d\dT[\d:]+|\d\d\/\w{3}\/\d{4}:[\d:.]+|^\d{10}\.\d{3}|\w{3} [ \d]\d [\d:]{8} \S+ haproxy\[\d+\]|127\.0\.0\.1:\d+|0\.\d{3}$|(?<= )-?\d+(?:\/-?\d+){4}(?= )/gm,
    '*',
  )

describe.each(['nginx', 'apache2', 'haproxy'] as const)('%s', (name) => {
  need(name)
  test('writes the recorded lines', async () => {
    const server = await startLogging(name)
    onTestFinished(server.stop)
    const headers = ['Host: old.example', `User-Agent: ${recorded.userAgent}`, `Referer: ${recorded.referer}`]
    await server.send(
      `GET /?${recorded.query} HTTP/1.1\r\n${headers.join('\r\n')}\r\nConnection: close\r\n\r\n`,
    )
    await server.send('\x16\x03\x01\x02\r\n\r\n')
    for (const { log, lines } of recordings.filter(({ server }) => server === name))
      for (const line of lines)
        await expect.poll(() => masked(server.log(`${log}.log`)).split('\n')).toContain(masked(line))
  })
})
