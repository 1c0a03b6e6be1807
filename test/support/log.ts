// What a gateway logs, while it runs.

import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

export interface Log {
  /** The lines of a type so far. */
  readonly of: (type: string) => readonly Readonly<Record<string, unknown>>[]
  /** Waits for one more line of a type than there are now. */
  readonly next: (type: string, within: number) => Promise<Readonly<Record<string, unknown>>>
}

export function readLog(stderr: Readable): Log {
  const lines: Record<string, unknown>[] = []
  const waiting = new Set<() => void>()
  createInterface(stderr).on('line', (line) => {
    // Whatever else Node may have to say is no line of the log.
    if (line.startsWith('{')) lines.push(JSON.parse(line))
    for (const look of waiting) look()
  })
  const of = (type: string) => lines.filter((line) => line.type === type)
  function next(type: string, within: number): Promise<Record<string, unknown>> {
    const before = of(type).length
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        waiting.delete(look)
        reject(new Error(`no ${type} within ${within} ms, only ${JSON.stringify(lines)}`))
      }, within)
      function look(): void {
        const line = of(type)[before]
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
