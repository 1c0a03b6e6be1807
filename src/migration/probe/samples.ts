// A few users and apps whose texts show how characters are written. Those that the operator has named may be
// all ASCII letters; a list of ids that may be there has others.

import { isNumeric } from '../../gateway/legacy/habits/php-numbers.ts'
import { questions } from '../../gateway/legacy/habits/questions.ts'
import type { Ask } from './ask.ts'
import { foundIn } from './describe.ts'
import { appOf, idsOf, type Known, userOf } from './known.ts'
import { findListLimit, MAX_LIST_VALUES } from './limit.ts'

/** Each of these is written in a way of its own by some service. */
const shows: readonly ((text: string) => boolean)[] = [
  (text) => /[\u0080-\ud7ff\ue000-\uffff]/.test(text),
  (text) => /[\ud800-\udbff]/.test(text),
  (text) => text === '',
  (text) => text.includes("'"),
  (text) => text.includes('"'),
  (text) => text.includes('&'),
  (text) => /[<>]/.test(text),
  (text) => text.includes('/'),
  // That htmlspecialchars writes an apostrophe so is seen by no other reference.
  (text) => text.includes('&#'),
  isNumeric,
]

/** Samples of each kind. */
const MAX_SAMPLES = 6
/** Ids in a list around one that is known. */
const NEIGHBOURS = 100

/**
 * The questions for the list limit have been answered with users already: one more is asked, and one for
 * apps.
 */
export async function findSamples(
  ask: Ask,
  { users, apps }: Pick<Known, 'users' | 'apps'>,
): Promise<Known['samples']> {
  const [user, app] = [users[0]?.id ?? 0, apps[0]?.id]
  const { most, found } = await findListLimit(ask, idsOf(users))
  if (most === 1) return { users: [], apps: [] }
  const length = Math.min(most ?? NEIGHBOURS, NEIGHBOURS)
  const isElsewhere = found.size < 2 && user > (most ?? MAX_LIST_VALUES)
  const nearby = isElsewhere ? foundIn(await ask(questions.byId(around(user, length)))) : []
  const others = app === undefined ? [] : foundIn(await ask(questions.apps(around(app, length))))
  return {
    users: choose(
      [...found, ...nearby].map(([, fields]) => userOf(fields)),
      ({ username, displayName }) => [username, displayName],
      most,
    ),
    apps: choose(
      [...others].map(([id, fields]) => appOf(id, fields)),
      ({ title, version, changelogLink, downloadLink }) => [title, version, changelogLink, downloadLink],
      most,
    ),
  }
}

function around(id: number, length: number): string[] {
  const first = Math.max(1, id - (length >> 1))
  return Array.from({ length }, (_, at) => String(first + at))
}

/**
 * The fewest that show what any of them shows, or nearly so: always the one that shows most of what is
 * missing.
 */
function choose<Item extends { readonly id: number }>(
  items: readonly Item[],
  textsOf: (item: Item) => readonly string[],
  most: number | null,
): Item[] {
  const chosen: Item[] = []
  let missing = shows
  while (chosen.length < Math.min(most ?? MAX_SAMPLES, MAX_SAMPLES)) {
    let [best, rest]: [Item | null, typeof shows] = [null, missing]
    for (const item of items) {
      const texts = textsOf(item)
      const left = missing.filter((show) => !texts.some(show))
      if (item.id > 0 && left.length < rest.length) [best, rest] = [item, left]
    }
    if (best === null) break
    chosen.push(best)
    missing = rest
  }
  // By id: an order of entries is another question.
  return chosen.sort((one, other) => one.id - other.id)
}
