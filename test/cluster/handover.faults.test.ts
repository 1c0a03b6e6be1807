// A connection that is handed to a worker which dies before it has taken it: node:cluster forgets it, and
// keeps it open.

import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { requestFor } from '../gateway/http/raw.ts'
import { childrenOf } from '../kit/children.ts'
import { originOf, serve } from '../kit/serving.ts'
import { makeWorkplace, type Workplace } from '../kit/workplace.ts'

let place: Workplace
beforeEach(() => {
  place = makeWorkplace()
})
afterEach(() => place.remove())

test('is closed, so that its client can ask again, and the first process keeps nothing of it', async () => {
  const { process: first, shown } = await serve({ cwd: place.path }, '--workers', '2')
  const { hostname, port } = new URL(originOf(shown['Legacy JSON']))
  const victim = childrenOf(first.pid)[0] ?? 0
  process.kill(victim, 'SIGSTOP')
  const before = socketsOf(first.pid)
  // Each worker has one at a time that it has not taken; the others go to those that take theirs.
  const clients = Array.from({ length: 4 }, () => {
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    const client = { answer: '', isOver: false }
    socket.on('error', () => {}).on('close', () => Object.assign(client, { isOver: true }))
    socket.on('data', (data) => {
      client.answer += data
    })
    socket.write(requestFor('/?Event=ProfileLookup&Users=1', ['Host: a', 'Connection: close']))
    return client
  })
  const answered = () => clients.filter(({ answer }) => answer.startsWith('HTTP/1.1 200')).length
  await expect.poll(answered).toBe(3)
  // An answer is there before its connection is closed.
  await expect.poll(() => clients.filter(({ isOver }) => !isOver)).toHaveLength(1)
  const died = once(first, 'exit')
  process.kill(victim, 'SIGKILL')
  await expect.poll(() => clients.filter(({ isOver }) => !isOver)).toEqual([])
  expect(answered()).toBe(3)
  await expect.poll(() => socketsOf(first.pid)).toBeLessThanOrEqual(before)
  first.kill('SIGTERM')
  expect(await died).toEqual([0, null])
})

function socketsOf(pid: number | undefined): number {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).filter((name) => {
    try {
      return readlinkSync(`${folder}/${name}`).startsWith('socket:')
    } catch {
      return false
    }
  }).length
}
