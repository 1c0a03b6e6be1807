import { LookupError } from '../../errors.ts'
import { type Subject, textFor } from '../../paired-texts.ts'
import type { Dialect } from '../../settings.ts'
import { shorten } from '../../text.ts'
import type { Entry } from './events/event.ts'
import type { WriteAnswer } from './formats/format.ts'
import { partsOf } from './habits/unknown-text.ts'

/** Characters of what was asked for, in an error. */
const MAX_VALUE_LENGTH = 60

/**
 * Refuses an answer in which something is missing, where the old service did; `null` where none is refused.
 * @throws LookupError `NothingFound`
 */
export type RefuseMissing = (
  values: readonly string[],
  entries: readonly (Entry | null)[],
  subject: Subject,
) => void

export function missingRefuser({ unknown, empty, unknownText }: Dialect): RefuseMissing | null {
  // As a loop that ends with the first value that it does not find.
  if (unknown === 'refuse')
    return (values, entries, subject) => {
      const at = entries.indexOf(null)
      if (at !== -1) throw nothingFound(textFor(subject, unknownText), values[at] ?? '')
    }
  // Whatever stands for single values: a script that found nothing has left before that.
  if (empty === 'refuse')
    return (values, entries, subject) => {
      if (entries.every((entry) => entry === null))
        throw nothingFound(textFor(subject, unknownText), values.join(':'))
    }
  return null
}

/** Where a script leaves before it has written anything: no body, in either format. */
export function silentWriter(write: WriteAnswer): WriteAnswer {
  return (values, entries) => (entries.every((entry) => entry === null) ? '' : write(values, entries))
}

function nothingFound(text: string, value: string): LookupError {
  return new LookupError('NothingFound', [partsOf(text).join(shorten(value, MAX_VALUE_LENGTH))])
}
