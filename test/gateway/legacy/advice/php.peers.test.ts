// The advice for a service in PHP: a gateway with these settings writes the XML of PHP.

import { expect, onTestFinished } from 'vitest'
import { test } from '../../../kit/test.ts'
import { type Switches, startOldService } from '../../../old-service/start.ts'
import { ask } from '../support/ask.ts'
import { APP, ID, NAME } from '../support/rows.ts'
import { probe } from './probe.ts'

test.for<Switches>([
  {},
  { pretty: true },
  { xmlDeclaration: false },
  { pretty: true, xmlDeclaration: false, unknown: 'null', serviceName: 'Acme' },
])('%j', async (switches, { withSettings }) => {
  const old = await startOldService(switches)
  onTestFinished(old.close)
  const { advice } = await probe(old.url, { users: ['1', '2'], apps: ['2'] })
  const advised = Object.entries(advice).filter(([name]) => /^LEGACY_(?:XML|UNKNOWN)/.test(name))
  const { url } = await withSettings({
    ...Object.fromEntries(advised),
    LEGACY_SERVICE_NAME: switches.serviceName ?? 'Service',
  })
  for (const query of [
    `${ID}1:3:4`,
    `${ID}999`,
    `${ID}2:5:6`,
    `${NAME}s%C3%B8ren:salt%26pepper`,
    `${APP}1:3`,
  ]) {
    const [one, other] = [
      await ask(old.url, `/?${query}&Format=XML`),
      await ask(url, `/?${query}&Format=XML`),
    ]
    expect([other.body, other.headers['content-type']], query).toEqual([
      one.body,
      one.headers['content-type'],
    ])
  }
})
