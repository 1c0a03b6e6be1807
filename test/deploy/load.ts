import { setTimeout as pause } from 'node:timers/promises'
import { ask } from '../gateway/legacy/support/ask.ts'

/** Clients that ask as fast as they are answered, by GET and by POST, until they are stopped. */
export function startLoad(url: string, lookup: string, clients = 8) {
  const failures: string[] = []
  let answers = 0
  let stopped = false

  async function get(): Promise<void> {
    const { status, body } = await ask(url, lookup)
    if (status !== 200) failures.push(`GET: ${status} ${body}`)
  }

  async function post(): Promise<void> {
    const body = JSON.stringify({ query: '{ users(values: ["1"]) { username } }' })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body })
    const text = await response.text()
    if (text !== '{"data":{"users":[{"username":"Ada"}]}}') failures.push(`POST: ${response.status} ${text}`)
  }

  async function work(request: () => Promise<void>): Promise<void> {
    while (!stopped) {
      await request().catch((error: unknown) => failures.push(String(error)))
      answers++
    }
  }
  const working = Array.from({ length: clients }, (_, index) => work(index % 2 === 0 ? get : post))

  return {
    /** Waits for so many more answers. */
    count: async (more: number) => {
      const enough = answers + more
      while (answers < enough) await pause(5)
    },
    /** @returns what went wrong */
    stop: async () => {
      stopped = true
      await Promise.all(working)
      return failures
    },
  }
}
