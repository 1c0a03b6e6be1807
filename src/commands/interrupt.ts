/** @returns a signal that Ctrl-C gives, and how to let go of it. A second Ctrl-C ends the process at once, as ever. */
export function onInterrupt(): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController()
  const stop = () => controller.abort()
  // Service managers and `timeout` send the other one.
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const name of signals) process.once(name, stop)
  return {
    signal: controller.signal,
    release: () => {
      for (const name of signals) process.off(name, stop)
    },
  }
}
