import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import { errors } from '../../../src/stores/postgres/errors.ts'
import { watchHealth } from '../../../src/stores/servers/health.ts'

test('probes belong to no request, even those that one caused', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const requests = new AsyncLocalStorage<string>()
  const probes: (string | undefined)[] = []
  const examine = async () => void probes.push(requests.getStore())
  const ignore = () => {}
  const health = watchHealth('127.0.0.1:1', examine, ignore, ignore, errors)
  onTestFinished(health.close)
  requests.run('a request', () => health.suspect())
  await vi.advanceTimersByTimeAsync(1000)
  expect(probes).toEqual([undefined, undefined])
})

test('a server that is back takes five failures again', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const ignore = () => {}
  const health = watchHealth('127.0.0.1:1', async () => {}, ignore, ignore, errors)
  onTestFinished(health.close)
  const fail = (times: number) => {
    for (let time = 0; time < times; time++) health.failed(new Error('refused'))
  }
  for (let time = 0; time < 2; time++) {
    fail(4)
    expect(health.state()).toBe('fit')
    fail(1)
    expect(health.state()).toBe('faulty')
    await vi.advanceTimersByTimeAsync(2_500)
    expect(health.state()).toBe('fit')
  }
})
