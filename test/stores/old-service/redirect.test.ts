// An old service that redirects: no call follows, and what is said of it is what the operator needs.

import { describe, expect, onTestFinished, test } from 'vitest'
import { parseServiceUrl } from '../../../src/database-urls.ts'
import { createCall, NoReply } from '../../../src/stores/old-service/call.ts'
import { describeRedirection } from '../../../src/stores/old-service/redirect.ts'
import { startAnswering } from '../../kit/answering.ts'
import { hasProgram } from '../../kit/programs.ts'
import { startOldService } from '../../old-service/start.ts'
import { openOverOld } from './support.ts'

describe.skipIf(!hasProgram('php'))('PHP', () => {
  test('that has moved: the log says where to', async () => {
    const old = await startOldService({ movedTo: '/new/lookup.php' })
    onTestFinished(old.close)
    const { store, observations } = openOverOld(old.url.replace('//', '//me:secret@'))
    await expect(store.findUsers('ID', ['3'])).rejects.toMatchObject({ code: 'Unavailable' })
    const message = `the old service failed: it redirects to ${old.url}new/lookup.php: use that address`
    expect(observations).toMatchObject([{ type: 'store-failed', error: { message } }])
  })
})

describe('a redirection', () => {
  const from = 'http://old.example/a/lookup.php'
  const to = (address: string) => `it redirects to ${address}: use that address`

  test.for([
    ['https://old.example/a/lookup.php?Event=x', 'https://old.example/a/lookup.php'],
    ['http://new.example:8080/?Event=x#y', 'http://new.example:8080/'],
    ['http://new.example', 'http://new.example/'],
    ['//new.example/b?c', 'http://new.example/b'],
    ['/b/', 'http://old.example/b/'],
    ['../b', 'http://old.example/b'],
    ['b.php?x=http://c/', 'http://old.example/a/b.php'],
    ['https://me:secret@new.example/b', 'https://new.example/b'],
    ['/b c/@d', 'http://old.example/b%20c/%40d'],
    ['/\u00c3\u00a9', 'http://old.example/%C3%A9'],
    ['https://[::1]:8443/b', 'https://[::1]:8443/b'],
  ] as const)('to %s', ([location, address]) => {
    expect(describeRedirection(from, location).toLowerCase()).toBe(to(address).toLowerCase())
    // The next command takes it as it is.
    expect(parseServiceUrl(address)).toEqual({ url: address, authorization: null })
  })

  test.for([
    'ftp://a/',
    'mailto:a@b',
    'http://',
    'https://a:b/',
    'javascript:alert(1)',
    `/${'a'.repeat(1_000)}`,
  ])('to %s has no address to use', (location) => {
    expect(describeRedirection(from, location)).toMatch(/^it redirects to an address that is not http\(s\):/)
  })

  test.for(['?session=1', '', '/a/lookup.php?x', from, 'http://me@old.example/a/lookup.php'])(
    'to itself: %s',
    (location) => {
      expect(describeRedirection(from, location)).toBe(
        `it redirects to ${from} again: perhaps it wants a login, a cookie or another header`,
      )
    },
  )

  test('is followed by no call, and its body is not read', async () => {
    const elsewhere = await startAnswering((_, response) => void response.end('{}'))
    onTestFinished(elsewhere.close)
    for (const status of [300, 301, 302, 303, 307, 308]) {
      const { url, close } = await startAnswering((_, response) => {
        response.writeHead(status, { Location: `${elsewhere.url}?x` })
        // It never ends.
        response.write('x'.repeat(10_000))
      })
      onTestFinished(close)
      const error = await createCall(
        { url, headers: {} },
        { timeout: 5_000, connections: 1 },
      )('a').catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(NoReply)
      expect(error).toMatchObject({ kind: 'redirected', message: to(elsewhere.url) })
    }
    expect(elsewhere.asked).toEqual([])
  })

  test('that asks for patience is an outage', async () => {
    const { url, close } = await startAnswering((_, response) => {
      response.writeHead(302, { Location: '/maintenance.html', 'Retry-After': '60' }).end()
    })
    onTestFinished(close)
    const { store, observations } = openOverOld(url)
    await expect(store.findUsers('ID', ['1'])).rejects.toMatchObject({ code: 'Unavailable' })
    const message = 'the old service answers with status 302'
    expect(observations).toMatchObject([{ error: { kind: 'outage', message } }])
  })
})
