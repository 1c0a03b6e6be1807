// A census file stays bounded, whatever clients come, and its totals stay exact.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createTally as createLineTally } from '../../../src/migration/access-log/tally.ts'
import { createAskedTable } from '../../../src/migration/census/asked.ts'
import { addCensusFile } from '../../../src/migration/census/file-tally.ts'
import type { Visit } from '../../../src/migration/census/live/visit.ts'
import { Visits } from '../../../src/migration/census/live/visits.ts'
import { writeVisits } from '../../../src/migration/census/live/write.ts'
import { reportOf } from '../../../src/migration/census/report.ts'
import { Tally } from '../../../src/migration/census/tally.ts'
import { temporaryFolder } from '../../kit/gateway.ts'

const DAY_MS = 86_400_000
const asked = { event: 'AppLookup', method: '', format: 'JSON', problem: '' }

function visit(client: number, day: number): Visit {
  const time = day * DAY_MS + (client % DAY_MS)
  return {
    ...{ key: '', address: `10.${client >> 16}.${(client >> 8) & 255}.${client & 255}` },
    ...{ agent: `Program ${client % 3000}/${client}`, referer: '', first: time, last: time },
    asked: new Map([['', { ...asked, day, requests: 1 }]]),
  }
}

function reportOfFile(file: string) {
  const tally = new Tally()
  addCensusFile(file, tally, createAskedTable())
  const log = createLineTally().summary()
  const read = { logs: [file], complete: true, lines: 0, log, paths: ['/'], censusFiles: 1, keys: 1 }
  return reportOf(tally, read, (address) => address)
}

test('clients that were not seen for the longest time are forgotten, and still count', () => {
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  const file = join(folder.path, 'c.census')
  const place = { file, keyFile: null }
  for (let day = 20_000; day < 20_025; day++)
    writeVisits(
      place,
      Array.from({ length: 1000 }, (_, at) => visit((day - 20_000) * 1000 + at, day)),
    )
  const report = reportOfFile(file)
  expect(report.requests).toBe(25_000)
  expect(report.clients.length).toBeGreaterThan(19_000)
  expect(report.clients.length).toBeLessThanOrEqual(20_000)
  expect(report.requestsOfOthers).toBe(25_000 - report.clients.length)
  expect(report.days.map(({ clients, requests }) => [clients, requests])).toEqual(
    Array(25).fill([1000, 1000]),
  )
  expect(report.weeks.reduce((sum, { clients }) => sum + clients, 0)).toBe(25_000)
  expect(report.families.reduce((sum, { requests }) => sum + requests, 0)).toBe(25_000)
  expect(report.firstSeen).toBe(new Date(20_000 * DAY_MS).toISOString())
  expect(statSync(file).size).toBeLessThan(16 * 1024 * 1024)
})

test('days that are long ago are forgotten', () => {
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  const place = { file: join(folder.path, 'c.census'), keyFile: null }
  for (const day of [19_000, 20_000, 20_399, 20_400]) writeVisits(place, [visit(1, day)])
  const { clients, days, requests } = reportOfFile(place.file)
  expect([requests, days.length]).toEqual([4, 2])
  expect(clients[0]).toMatchObject({ requests: 4, firstSeen: expect.stringContaining('2022-') })
})

test('what waits to be written is bounded, and what could not be written is put back', () => {
  const visits = new Visits()
  const visitor = (at: number) => ({ key: `k${at}`, address: `a${at}`, agent: '', referer: '' })
  for (let at = 0; at < 12_000; at++) visits.add(visitor(at), asked, 0)
  expect(visits.size).toBe(10_001)
  const taken = visits.take()
  expect(visits.size).toBe(0)
  for (let at = 5_000; at < 6_000; at++) visits.add(visitor(at), asked, DAY_MS)
  visits.putBack(taken)
  const all = visits.take()
  expect(all).toHaveLength(10_001)
  const requests = all.flatMap((each) => [...each.asked.values()].map((one) => one.requests))
  expect(requests.reduce((sum, each) => sum + each, 0)).toBe(13_000)
  expect(all.find(({ key }) => key === 'k5000')).toMatchObject({ first: 0, last: DAY_MS, asked: { size: 2 } })
})
