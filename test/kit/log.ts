// What a gateway logs, while it runs.

import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

export type Log = ReturnType<typeof readLog>

export function readLog(stderr: Readable) {
  const lines: Record<string, unknown>[] = []
  const waiting = new Set<() => void>()
  createInterface(stderr).on('line', (line) => {
    // Node may write other lines, and a process that is killed half a line.
    if (/^\{.*\}$/.test(line)) lines.push(JSON.parse(line))
    for (const look of waiting) look()
  })
  /** The lines of a type so far. */
  const of = (type: string) => lines.filter((line) => line.type === type)
  const about = (type: string, server: string) =>
    of(type).filter((line) => String(line.server).includes(server))
  /** Waits for one more line of a type, about a server if one is named, than there are now. */
  function next(type: string, within: number, server = ''): Promise<Record<string, unknown>> {
    const before = about(type, server).length
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.delete(look)
        reject(new Error(`no ${type} within ${within} ms, only ${JSON.stringify(lines)}`))
      }, within)
      function look(): void {
        const line = about(type, server)[before]
        if (line === undefined) return
        clearTimeout(late)
        waiting.delete(look)
        resolve(line)
      }
      waiting.add(look)
    })
  }
  return { of, next }
}
