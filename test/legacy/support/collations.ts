// The order of display names under a collation, of a gateway and of a database.

import fc from 'fast-check'
import { writeRows } from '../../differential/rows.ts'
import { seedOf } from '../../kit/generate.ts'
import { ask } from './ask.ts'
import { ID } from './rows.ts'

const letters = fc.constantFrom(...('aAbBzZ_019 -.éÉüÜßøØñçÇàж花😀ﬁ｡å\tSИй'.match(/./gu) ?? []))

/** Names in the order of their ids, from 1 on. */
export const displayNames: readonly string[] = fc.sample(fc.string({ unit: letters, maxLength: 4 }), {
  seed: seedOf('legacy/collations'),
  numRuns: 300,
})

export function writeNames(folder: string) {
  const users = displayNames.map((displayName, at) => ({
    ...{ id: at + 1, username: `user ${at}`, chatId: null, displayName },
    ...{ rank: 1, joinDate: 1, isConfirmed: true, banned: false },
  }))
  return { users: writeRows(folder, { users, apps: [] }).users }
}

/** The ids in the gateway's order. */
export async function orderIn(url: string): Promise<number[]> {
  const { body } = await ask(url, `/?${ID}${displayNames.map((_, at) => at + 1).join(':')}&Format=XML`)
  return [...body.matchAll(/<Id>(\d+)</g)].map(([, id]) => Number(id))
}
