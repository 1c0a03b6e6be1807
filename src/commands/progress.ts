import { SingleBar } from 'cli-progress'

export interface Progress {
  readonly update: (bytes: number, rows: number) => void
  readonly stop: () => void
}

/** Milliseconds between two plain lines. */
const INTERVAL = 2000

/** Shows on stderr how far a file has been read: a bar on a terminal, plain lines otherwise. */
export function showProgress(label: string, totalBytes: number | null): Progress {
  return process.stderr.isTTY && totalBytes !== null ? bar(label, totalBytes) : lines(label, totalBytes)
}

function bar(label: string, totalBytes: number): Progress {
  const shown = new SingleBar({
    format: `${label} {bar} {percentage}% · {rows} rows · {eta_formatted} left`,
    stream: process.stderr,
    hideCursor: true,
    fps: 10,
    etaBuffer: 50,
    gracefulExit: true,
  })
  shown.start(totalBytes, 0, { rows: 0 })
  return {
    update: (bytes, rows) => shown.update(bytes, { rows: rows.toLocaleString('en') }),
    stop: () => shown.stop(),
  }
}

function lines(label: string, totalBytes: number | null): Progress {
  let next = Date.now() + INTERVAL
  return {
    update: (bytes, rows) => {
      if (Date.now() < next) return
      next = Date.now() + INTERVAL
      const share = totalBytes === null ? '' : `, ${Math.floor((bytes / Math.max(totalBytes, 1)) * 100)} %`
      process.stderr.write(`${label}: ${rows.toLocaleString('en')} rows${share}\n`)
    },
    stop: () => {},
  }
}
