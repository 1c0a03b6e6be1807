// Shows the progress of a long work and its remaining time on stderr: a bar on a terminal, plain lines
// otherwise.

import { visible } from '../text.ts'
import type { Terminal } from './terminal.ts'

interface Progress {
  /** @param note such as a number of rows */
  readonly update: (done: number, note: string) => void
  /** Writes a line of its own. */
  readonly say: (message: string) => void
  readonly stop: () => void
}

/** Milliseconds between two plain lines, and between two drawings of the bar. */
const LINE_INTERVAL_MS = 2000
const BAR_INTERVAL_MS = 100
const BAR_WIDTH = 20

/**
 * @param total in the unit that `update` counts in; `null` if it is unknown
 * @param already the part that was done before, in the same unit
 */
export function showProgress(
  { stderr }: Terminal,
  label: string,
  total: number | null,
  already = 0,
): Progress {
  const started = Date.now()
  const isBar = stderr.isTTY === true && total !== null
  const interval = isBar ? BAR_INTERVAL_MS : LINE_INTERVAL_MS
  let next = started + interval
  /** The latest update of the bar, which `stop` draws. */
  let latest: readonly [done: number, note: string] | null = null

  function describe(done: number, note: string): string {
    if (total === null) return `${label}: ${note}`
    const share = Math.min(1, done / Math.max(total, 1))
    const speed = (done - already) / (Date.now() - started)
    const left = speed > 0 && done < total ? `, ${duration((total - done) / speed)} left` : ''
    const filled = Math.floor(share * BAR_WIDTH)
    const bar = isBar ? `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ` : ''
    return `${label}: ${bar}${note}, ${Math.floor(share * 100)} %${left}`
  }

  // A line that wraps would be drawn again below itself.
  const cut = (line: string) => [...line].slice(0, (stderr.columns || 80) - 1).join('')
  const draw = (done: number, note: string) => `\r\x1b[K${cut(describe(done, note))}`

  return {
    update: (done, note) => {
      latest = [done, note]
      if (Date.now() < next) return
      next = Date.now() + interval
      stderr.write(isBar ? draw(done, note) : `${describe(done, note)}\n`)
    },
    // The next update draws the bar again, below this line.
    say: (message) => stderr.write(`${isBar ? '\r\x1b[K' : ''}${visible(message)}\n`),
    stop: () => {
      if (isBar && latest !== null) stderr.write(`${draw(...latest)}\n`)
    },
  }
}

/** In words, with the two largest units. */
function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
