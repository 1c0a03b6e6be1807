import type { Writable } from 'node:stream'
import { SingleBar } from 'cli-progress'
import { visible } from '../text.ts'
import type { Terminal } from './terminal.ts'

interface Progress {
  /** @param note what else there is to say, such as a number of rows */
  readonly update: (done: number, note: string) => void
  /** Writes a line of its own. */
  readonly say: (message: string) => void
  readonly stop: () => void
}

/** Milliseconds between two plain lines. */
const LINE_INTERVAL_MS = 2000

/**
 * Shows on stderr how far a long work is, and how long it will take: a bar on a terminal, plain lines
 * otherwise.
 * @param total in the unit that `update` counts in; `null` where it is unknown
 * @param already how much of it was done before
 */
export function showProgress(
  { stderr }: Terminal,
  label: string,
  total: number | null,
  already = 0,
): Progress {
  return stderr.isTTY && total !== null
    ? bar(stderr, label, total, already)
    : lines(stderr, label, total, already)
}

function bar(stderr: Writable, label: string, total: number, already: number): Progress {
  const shown = new SingleBar({
    format: `${label} {bar} {percentage}% · {note} · {eta_formatted} left`,
    stream: stderr,
    hideCursor: true,
    fps: 10,
    etaBuffer: 50,
    gracefulExit: true,
  })
  shown.start(total, already, { note: '…' })
  return {
    update: (done, note) => shown.update(done, { note }),
    // In the place of the bar, which is drawn anew below.
    say: (message) => stderr.write(`\r\x1b[K${visible(message)}\n`),
    stop: () => shown.stop(),
  }
}

function lines(stderr: Writable, label: string, total: number | null, already: number): Progress {
  const started = Date.now()
  let next = started + LINE_INTERVAL_MS
  const shareOf = (done: number) => {
    if (total === null) return ''
    const speed = (done - already) / (Date.now() - started)
    const left = speed > 0 ? `, ${duration((total - done) / speed)} left` : ''
    return `, ${Math.floor((done / Math.max(total, 1)) * 100)} %${left}`
  }
  return {
    update: (done, note) => {
      if (Date.now() < next) return
      next = Date.now() + LINE_INTERVAL_MS
      stderr.write(`${label}: ${note}${shareOf(done)}\n`)
    },
    say: (message) => stderr.write(`${visible(message)}\n`),
    stop: () => {},
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
