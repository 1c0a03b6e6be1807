/** A failure that the operator sees as it is, without a stack. */
export class CommandError extends Error {}

/** The exit status if arguments or settings are wrong, so that a retry does not help. */
export const USAGE_STATUS = 2

/** The command cannot do what its arguments say, and has done nothing. */
export class UsageError extends CommandError {}

/** A signal has ended the command, which has undone its changes. */
export class InterruptError extends CommandError {
  readonly signal: NodeJS.Signals
  constructor(message: string, signal: NodeJS.Signals) {
    super(message)
    this.signal = signal
  }
}
