/** What went wrong, in words for the person at the terminal: shown as it is, without a stack. */
export class CommandError extends Error {}
