/** Milliseconds between two reports: a flood must be no flood of lines in the log. */
const REPORT_INTERVAL_MS = 1_000

/** @returns what counts one more; the number is reported a second after the first of them */
export function createThrottledCounter(report: (count: number) => void): () => void {
  let count = 0
  const flush = () => {
    report(count)
    count = 0
  }
  return () => {
    count += 1
    if (count === 1) setTimeout(flush, REPORT_INTERVAL_MS).unref()
  }
}
