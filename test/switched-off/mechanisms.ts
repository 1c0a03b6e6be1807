// What each promise rests on, and the edit that takes it away.

export interface Mechanism {
  /** The number in docs/promises.md; 0 for what is not one of them. */
  readonly promise: number
  readonly what: string
  readonly file: string
  /** A text that the file has once, and what stands in its place while the mechanism is off. */
  readonly from: string
  readonly to: string
  /** Test files that then fail, */
  readonly tests: readonly string[]
  /** or one test in them, by a pattern of its name. */
  readonly name?: string
}

export const mechanisms: readonly Mechanism[] = [
  {
    promise: 4,
    what: 'a cap on what is in flight',
    file: 'src/http/overload.ts',
    from: 'if (inFlight >= limit) {',
    to: 'if (inFlight < 0) {',
    tests: ['test/http/overload.test.ts'],
  },
  {
    promise: 4,
    what: 'utilisation of the event loop',
    file: 'src/http/overload.ts',
    from: 'utilization >= SATURATED &&',
    to: 'utilization > 1 &&',
    tests: ['test/faults/overload.test.ts'],
  },
  {
    promise: 10,
    what: 'counting what each address asks for',
    file: 'src/http/rate-limit.ts',
    from: 'used.consumedPoints < points',
    to: 'used.consumedPoints >= 0',
    tests: ['test/http/rate-limit.test.ts'],
  },
  {
    promise: 10,
    what: 'distrust of forwarding headers',
    file: 'src/http/rate-limit.ts',
    from: 'proxyaddr.compile([...trusted])',
    to: 'proxyaddr.compile(["0.0.0.0/0"])',
    tests: ['test/http/rate-limit.test.ts'],
  },
  {
    promise: 7,
    what: 'the check of the Host header',
    file: 'src/http/router.ts',
    from: 'return isHost(request.headers.host) ? null : new LookupError(',
    to: 'return isHost(undefined) ? null : new LookupError(',
    tests: ['test/http/hosts.test.ts'],
  },
]
