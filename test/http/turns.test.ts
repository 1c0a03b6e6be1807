// Which requests start in which turn of the event loop, and which are refused. The test runs the turns, and
// sets their time.

import { expect, onTestFinished, test, vi } from 'vitest'
import { createOverload } from '../../src/http/overload.ts'

/** A turn starts 4 ms of work, and a unit is taken for 0.03 ms until it is measured. */
const UNIT_MS = 0.03
const TURN = 4 / UNIT_MS

function startOverload() {
  let now = 1_000
  const immediates: (() => void)[] = []
  vi.stubGlobal('setImmediate', (run: () => void) => immediates.push(run))
  const time = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => {
    vi.unstubAllGlobals()
    time.mockRestore()
  })
  const overload = createOverload()
  /** The outcomes of requests since the last turn, in order. */
  const outcomes: string[] = []
  const enter = (name: string, units: number) => {
    const turn = overload.enter(units)
    if (turn === undefined) outcomes.push(`${name} at once`)
    turn?.then(
      () => outcomes.push(name),
      ({ code }) => outcomes.push(`${name} ${code}`),
    )
  }
  const take = () => outcomes.splice(0)
  /** Ends the turn of the event loop. @param took milliseconds of it */
  const endTurn = async (took = 4) => {
    now += took
    for (const run of immediates.splice(0)) run()
    // Promises of the requests, and those that follow them.
    for (let at = 0; at < 4; at++) await Promise.resolve()
    return take()
  }
  return {
    enter,
    take,
    endTurn,
    connected: overload.connected,
    isIdle: () => immediates.length === 0,
  }
}

const names = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}${at}`)

test('what fits into a turn starts at once, and the rest in the next turns', async () => {
  const { enter, take, endTurn, isIdle } = startOverload()
  for (const name of names('a', 6)) enter(name, TURN / 2)
  expect(take()).toEqual(['a0 at once', 'a1 at once'])
  expect(await endTurn()).toEqual(['a2', 'a3'])
  // A later request does not overtake those that wait.
  enter('late', TURN / 2)
  expect(await endTurn()).toEqual(['a4', 'a5'])
  expect(await endTurn()).toEqual(['late'])
  enter('next', 1)
  expect(take()).toEqual(['next at once'])
  await endTurn()
  expect(isIdle()).toBe(true)
})

test('lookups of few values have half of a turn while others wait, and each has some', async () => {
  const { enter, take, endTurn } = startOverload()
  enter('full', TURN)
  for (const name of names('many', 3)) enter(name, 10 * TURN)
  for (const name of names('some', 5)) enter(name, 25)
  for (const name of names('few', 40)) enter(name, 4)
  expect(take()).toEqual(['full at once'])
  const few = names('few', 40)
  expect(await endTurn()).toEqual([...few.slice(0, 17), 'some0', 'some1', 'many0'])
  expect(await endTurn()).toEqual([...few.slice(17, 34), 'some2', 'some3', 'many1'])
  expect(await endTurn()).toEqual([...few.slice(34), 'some4', 'many2'])
})

test('while clients connect, turns only accept: 32 in a row', async () => {
  const { enter, take, endTurn, connected } = startOverload()
  enter('full', TURN)
  enter('waiting', 1)
  take()
  for (let turn = 0; turn < 32; turn++) {
    connected()
    expect(await endTurn(0.1)).toEqual([])
  }
  connected()
  expect(await endTurn()).toEqual(['waiting'])
  enter('full', TURN)
  enter('next', 1)
  take()
  connected()
  expect(await endTurn(0.1)).toEqual([])
  expect(await endTurn()).toEqual(['next'])
})

test('as many lookups of few values start as clients have connected', async () => {
  const { enter, take, endTurn, connected } = startOverload()
  enter('full', TURN)
  for (const name of names('few', 40)) enter(name, 4)
  take()
  for (let turn = 0; turn < 32; turn++) {
    connected()
    await endTurn(0.1)
  }
  connected()
  // 2 ms of work are 17 of them.
  expect(await endTurn()).toHaveLength(33)
})

/** Expects so many refusals, which come later. */
async function refusedOf(take: () => string[], refused: number) {
  const outcomes: string[] = []
  await vi.waitFor(() => {
    outcomes.push(...take())
    expect(outcomes.filter((outcome) => outcome.endsWith('Overloaded'))).toHaveLength(refused)
  })
}

test('for a moment, 100 ms of work may wait', async () => {
  const { enter, take } = startOverload()
  enter('full', TURN)
  take()
  for (const name of names('a', 30)) enter(name, 0.99 * TURN)
  await refusedOf(take, 5)
})

test('16 requests may wait, whatever they are estimated at', async () => {
  const { enter, take } = startOverload()
  enter('full', TURN)
  take()
  for (const name of names('a', 20)) enter(name, 1_000 * TURN)
  await refusedOf(take, 4)
})

test('while work waits all the time, no more than 44 ms of it; for 5 s after a refusal, 8 ms', async () => {
  const { enter, take, endTurn } = startOverload()
  const fill = (count: number) => {
    for (const name of names('b', count)) enter(name, TURN / 7.5)
  }
  // Eight of these are a turn and some.
  const took = (8 * 4) / 7.5
  enter('full', TURN)
  fill(80)
  // For 100 ms, as much work arrives as is done.
  for (let turn = 0; turn < 26; turn++) {
    await endTurn(took)
    fill(8)
  }
  take()
  // 42.7 ms wait.
  fill(20)
  await refusedOf(take, 18)
  // 44 ms of work are done, and 8 ms come each time.
  for (let turn = 0; turn < 11; turn++) await endTurn(took)
  enter('full', TURN)
  fill(20)
  await refusedOf(take, 4)
  await endTurn(5_000)
  for (let turn = 0; turn < 11; turn++) await endTurn(took)
  enter('full', TURN)
  fill(90)
  expect(take()).toEqual(['full at once'])
})

test('64 refusals in a turn: clients that repeat their requests at once wait', async () => {
  const { enter, take, endTurn } = startOverload()
  enter('full', TURN)
  // 100 ms of work, and 100 requests more.
  for (const name of names('few', 833 + 100)) enter(name, 4)
  const refusalsOf = (outcomes: readonly string[]) =>
    outcomes.filter((one) => one.endsWith('Overloaded')).length
  await Promise.resolve()
  await Promise.resolve()
  expect(refusalsOf(take())).toBe(64)
  expect(refusalsOf(await endTurn())).toBe(36)
})

test('turns tell how long a unit takes, and a single interruption little', async () => {
  const { enter, take, endTurn } = startOverload()
  const startedPerTurn = async (took: number) => {
    enter('full', 10 * TURN)
    take()
    for (const name of names('a', 16)) enter(name, TURN / 4)
    const counts: number[] = []
    for (let outcomes = await endTurn(took); outcomes.length > 0; outcomes = await endTurn(took))
      counts.push(outcomes.length)
    return counts
  }
  expect(await startedPerTurn(4)).toEqual([4, 4, 4, 4])
  expect(await startedPerTurn(1_000)).toEqual([4, 4, 4, 4])
  for (let time = 0; time < 10; time++) await startedPerTurn(8)
  expect((await startedPerTurn(8))[0]).toBe(2)
})
