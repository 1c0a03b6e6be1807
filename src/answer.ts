/** What a room hands to HTTP: an answer that is ready to be sent. Imports nothing. */
export interface Answer {
  readonly status: number
  /** Names and values in turn, as node:http writes them. */
  readonly headers: readonly string[]
  /** A string holds ASCII only, so that its length is its number of bytes. */
  readonly body: string | Buffer
  /** Whether it carries a strong ETag, and becomes 304 for a client that has these very bytes already. */
  readonly tagged: boolean
}
