// The habits in which one old service may differ from another; set by the LEGACY_… settings.

export interface Dialect {
  /**
   * The neutral `Service` of the specification, or the old service's own name: `<name>API`,
   * `<name>DownloadLink`.
   */
  readonly serviceName: string
  /** The value of MethodOfAccessingUserInformation that means the chat platform. */
  readonly chatMethod: string
  /** What an identifier that matches nothing becomes: left out, or `null` and an empty `Data`. */
  readonly unknown: 'omit' | 'null'
  /** What a malformed numeric identifier becomes: an error, or one that matches nothing. */
  readonly malformed: 'reject' | 'unknown'
  /**
   * Whether errors carry their own HTTP status, or 200 for clients that cannot read a body behind another.
   */
  readonly errorStatus: 'http' | '200'
  /** How many distinct values one request may ask for. */
  readonly maxValues: number
  /** Seconds for `Cache-Control: max-age`. */
  readonly maxAge: number
  /** When the interface became deprecated (RFC 9745). */
  readonly deprecation: Date | null
  /** When the interface will stop answering (RFC 8594). */
  readonly sunset: Date | null
  /** A page about it, for `Link: <…>; rel="sunset"`. */
  readonly sunsetLink: string | null
}
