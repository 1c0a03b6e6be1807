/** What went wrong, in words for the operator: shown as it is, without a stack. */
export class CommandError extends Error {}

/** A signal has ended the command: it has undone what it had begun, and waits for nothing any more. */
export class Interrupted extends CommandError {
  readonly signal: NodeJS.Signals
  constructor(message: string, signal: NodeJS.Signals) {
    super(message)
    this.signal = signal
  }
}
