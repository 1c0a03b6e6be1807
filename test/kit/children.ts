import { readFileSync } from 'node:fs'

/** The processes that a process has started, the eldest first. */
export function childrenOf(pid: number | undefined): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text
    .split(' ')
    .filter((child) => child !== '')
    .map(Number)
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
