/** A database cannot be used as it is set. The message is for the operator: it names the setting, and no secret. */
export class UnusableDatabase extends Error {}
