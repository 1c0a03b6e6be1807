import { CommandError } from '../../terminal/command-error.ts'

/** The log cannot be read. */
export class LogError extends CommandError {}
