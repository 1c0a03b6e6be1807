// The probe advises settings for a service; a gateway with these settings has the habits of the service.

import { describe, expect, onTestFinished } from 'vitest'
import { type Switches, startOldService } from '../../../kit/old-service.ts'
import { test } from '../../../kit/test.ts'
import { ask } from '../support/ask.ts'
import { APP, ID, NAME, type Settings } from '../support/rows.ts'
import { type Known, probe } from './probe.ts'
import { bodies, lists, type Service, unknownXml, xml } from './rows.ts'

const listDefaults = {
  LEGACY_LIST: 'colon',
  LEGACY_LOOSE_IDS: 'digits',
  LEGACY_USERNAMES: 'fold',
  LEGACY_DUPLICATES: 'once',
  LEGACY_MAX_VALUES: '1000',
  LEGACY_TOO_MANY: 'refuse',
  LEGACY_KEYS: 'asked',
  LEGACY_ORDER: 'asked',
}
const bodyDefaults = {
  LEGACY_UNKNOWN: 'omit',
  LEGACY_NUMBERS: 'number',
  LEGACY_BOOLEANS: 'boolean',
  LEGACY_JSON_FLAGS: 'none',
  LEGACY_JSON_TYPE: 'application/json; charset=utf-8',
  LEGACY_ERROR_BODY: 'object',
  LEGACY_ERROR_STATUS: 'http',
}
/** Settings that are not advised if they have their default. */
const silent = ['LEGACY_UNKNOWN_TEXT', 'LEGACY_UNKNOWN_STATUS', 'LEGACY_FIELDS'] as const

const targets = [
  ...[`${ID}1`, `${ID}1:3:4`, `${ID}999`, `${ID}1:999`, `${APP}2`],
  ...[`${ID}2:5:6`, `${NAME}s%C3%B8ren:salt%26pepper`, `${APP}1:3`],
]
/** Those that have only ASCII. */
const plainTargets = targets.slice(0, 5)

async function adviceOnXml(url: string, known: Known): Promise<Settings> {
  const { advice } = await probe(url, { apps: ['2'], ...known })
  return Object.fromEntries(Object.entries(advice).filter(([name]) => /^LEGACY_(?:XML|UNKNOWN)/.test(name)))
}

async function expectSameXml(one: string, other: string, queries: readonly string[]): Promise<void> {
  const xmlOf = async (url: string, query: string) => {
    const { body, headers } = await ask(url, `/?${query}&Format=XML`)
    return [query, headers['content-type'], body]
  }
  for (const query of queries) expect(await xmlOf(other, query)).toEqual(await xmlOf(one, query))
}

/** A probe costs some seventy requests. @param step runs the first row, and every so many rows another one */
export function adviceSuite(step: number): void {
  const some = <Row>(rows: readonly Row[], every = step) => rows.filter((_, at) => at % every === 0)

  describe('lists', () => {
    test.for(some(lists))('%j', async (service: Service, { withSettings }) => {
      const { settings, told = {}, users = ['1', '2'] } = service
      const { url } = await withSettings(settings)
      const { advice, sent } = await probe(`${url}/`, { users, chat: 'chat-1001' })
      expect(advice).toMatchObject({ ...listDefaults, ...settings, ...told })
      expect(sent).toBeLessThan(72)
    })
  })

  describe('bodies', () => {
    test.for(some(bodies))('%j', async ({ settings, told = {} }, { withSettings }) => {
      const { url } = await withSettings(settings)
      const { advice } = await probe(`${url}/`, { users: ['1', '2'] })
      // Without an unknown entry, nobody sees what an empty response would be.
      const { LEGACY_UNKNOWN = 'omit' } = settings
      const empty = LEGACY_UNKNOWN === 'omit' ? { LEGACY_EMPTY: '{}' } : {}
      const expected: Settings = { ...bodyDefaults, ...empty, ...settings, ...told }
      expect(advice).toMatchObject(expected)
      for (const name of silent) expect(advice[name], name).toBe(expected[name])
    })
  })

  describe('XML', () => {
    const cases = ['omit', 'empty'].flatMap((unknown) =>
      (['known', 'found', 'ASCII'] as const).flatMap((knowledge) =>
        xml.map((settings) => [settings, unknown, knowledge] as const),
      ),
    )
    test.for(some(cases, step * step))(
      '%j with unknown values %s, others %s',
      async (row, { withSettings }) => {
        const [settings, unknown, knowledge] = row
        const old = await withSettings({ ...settings, LEGACY_UNKNOWN_XML: unknown })
        const users = knowledge === 'known' ? ['1', '2', '6'] : ['1']
        const advice = await adviceOnXml(`${old.url}/`, { users, findsOthers: knowledge === 'found' })
        const { url } = await withSettings(advice)
        await expectSameXml(old.url, url, knowledge === 'ASCII' ? plainTargets : targets)
      },
    )

    test.for<Switches>([
      {},
      { pretty: true },
      { xmlDeclaration: false },
      { pretty: true, xmlDeclaration: false, unknown: 'null', serviceName: 'Acme' },
    ])('of an old service with %j', async (switches, { withSettings }) => {
      const old = await startOldService(switches)
      onTestFinished(old.close)
      const advice = await adviceOnXml(old.url, { users: ['1', '2'] })
      const { serviceName = 'Service' } = switches
      const { url } = await withSettings({ ...advice, LEGACY_SERVICE_NAME: serviceName })
      await expectSameXml(old.url.slice(0, -1), url, targets)
    })

    test.for(some(unknownXml))('%j: unknown values are %s', async ([settings, told], { withSettings }) => {
      const { url } = await withSettings(settings)
      expect((await adviceOnXml(`${url}/`, { users: ['1'] })).LEGACY_UNKNOWN_XML).toBe(told)
    })
  })
}
