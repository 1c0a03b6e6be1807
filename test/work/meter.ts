import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds of processor time that all threads of a process have had so far. */
export function processorTime(pid: number): number {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      const [running = ''] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')
      nanoseconds += Number(running)
    } catch {
      // It has just ended.
    }
  }
  return nanoseconds / 1e6
}

/** MiB of memory that a process has resident. */
export function residentMemory(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? []
  return Number(kilobytes) / 1024
}
