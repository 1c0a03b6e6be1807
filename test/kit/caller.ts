import { type Caller, Departure } from '../../src/caller.ts'
import { LookupError } from '../../src/errors.ts'

const makeDeparture = () => new Departure(new LookupError('CallerLeft'))

/** A client that waits for an answer, until it is told to leave. */
export function makeCaller(): Caller & { readonly leave: () => void } {
  const departure = makeDeparture()
  return { requestId: 'r-1', departure, leave: () => departure.happen() }
}

const departed = makeDeparture()
departed.happen()

/** A client that has left. */
export const gone: Caller = { requestId: 'r-2', departure: departed }
