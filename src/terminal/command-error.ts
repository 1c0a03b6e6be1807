/** What went wrong, in words for the operator: shown as it is, without a stack. */
export class CommandError extends Error {}

/** The exit status where arguments or settings are wrong: trying again does not help. */
export const USAGE_STATUS = 2

/**
 * The command was asked for something that it cannot do: it has done nothing, and must be called otherwise.
 */
export class UsageError extends CommandError {}

/** A signal has ended the command: it has undone what it had begun, and waits for nothing any more. */
export class Interrupted extends CommandError {
  readonly signal: NodeJS.Signals
  constructor(message: string, signal: NodeJS.Signals) {
    super(message)
    this.signal = signal
  }
}
