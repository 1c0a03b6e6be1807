import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

export interface Reading {
  /** MiB of memory that a process has now, shared parts included. */
  readonly memory: number
  /** Files and sockets that it has open. */
  readonly descriptors: number
}

export function read(pid: number): Reading {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { memory: Number(kilobytes) / 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? Number.NaN
}

/** The medians of the third and of the fourth quarter. */
export function lastQuarters(numbers: readonly number[]): readonly [third: number, fourth: number] {
  const quarter = numbers.length >> 2
  return [median(numbers.slice(-2 * quarter, -quarter)), median(numbers.slice(-quarter))]
}

/** Flags with which a process prints the size of its live objects on SIGUSR2. */
export const meteredFlags = [
  '--expose-gc',
  '--import',
  `data:text/javascript,${encodeURIComponent(
    "process.on('SIGUSR2', () => { gc(); process.stderr.write('live ' + process.memoryUsage().heapUsed + '\\n') })",
  )}`,
]

/** MiB of live objects in a process, requests in flight included: the least of three readings. */
export async function readHeap({ pid = 0, stderr }: ChildProcessWithoutNullStreams): Promise<number> {
  const readings: number[] = []
  while (readings.length < 3) {
    let said = ''
    process.kill(pid, 'SIGUSR2')
    readings.push(
      await new Promise<number>((resolve) => {
        stderr.on('data', function listen(chunk: Buffer) {
          said += chunk
          const [, bytes] = /^live (\d+)$/m.exec(said) ?? []
          if (bytes === undefined) return
          stderr.off('data', listen)
          resolve(Number(bytes) / 2 ** 20)
        })
      }),
    )
  }
  return Math.min(...readings)
}
