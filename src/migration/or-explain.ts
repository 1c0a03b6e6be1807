import { CommandError } from '../terminal/command-error.ts'
import { LogError } from './access-log/read.ts'
import { BookError } from './progress-file.ts'

/** Does what may fail on a log or a state. @throws CommandError in words for the person at the terminal */
export function orExplain<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw explained(error)
  }
}

/** What is wrong with a log or a state, for the person at the terminal; anything else as it is. */
export function explained(error: unknown): unknown {
  return error instanceof LogError || error instanceof BookError ? new CommandError(error.message) : error
}
