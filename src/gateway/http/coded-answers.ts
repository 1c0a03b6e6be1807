import type { Answer } from '../answer.ts'
import type { Coding } from './codings.ts'

/** What an answer that is kept is in a coding: made by `make` when it is first asked for. */
export type CodedAnswers = (
  answer: Answer,
  coding: Coding,
  make: () => Answer | Promise<Answer>,
) => Answer | Promise<Answer>

/**
 * Keeps answers in the codings that they were asked for in, for as long as the answers are kept themselves.
 * @param maxBytes that they take; beyond that, all are forgotten
 */
export function createCodedAnswers(maxBytes: number): CodedAnswers {
  let kept = new WeakMap<Answer, Map<Coding, Answer>>()
  let bytes = 0

  function keep(answer: Answer, coding: Coding, made: Answer): void {
    bytes += made.body.length
    if (bytes > maxBytes) {
      kept = new WeakMap()
      bytes = made.body.length
    }
    const codings = kept.get(answer)
    if (codings === undefined) kept.set(answer, new Map([[coding, made]]))
    else codings.set(coding, made)
  }

  return (answer, coding, make) => {
    const known = kept.get(answer)?.get(coding)
    if (known !== undefined) return known
    const made = make()
    // What is made on another thread is longer than what caches keep.
    if (!(made instanceof Promise)) keep(answer, coding, made)
    return made
  }
}
