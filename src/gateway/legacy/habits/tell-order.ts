// How the order of entries is told, that of users and that of apps.

import type { Probing } from './heard.ts'
import { type Order, ordersOfApps, ordersOfUsers, type Placed } from './orders.ts'
import { questions } from './questions.ts'
import { explains, rowsIn, SURE, type Subject, seeLists, seePairs, toldBy } from './seen-order.ts'

export async function tellOrderOfUsers(probing: Probing): Promise<Order | null> {
  const { most } = await probing.listLimit()
  if (most === 1) return 'asked'
  const users: Subject = {
    question: questions.byId,
    idOf: (_, fields) => fields.get('id'),
    ids: [...new Set([...probing.ids, ...probing.samples.users])],
    orders: ['asked', 'id', 'name', 'id desc', ...ordersOfUsers],
  }
  const seen = await seeLists(probing, users, most)
  if (seen.rows.length === 0) await seePairs(probing, users, seen)
  const told = toldBy(seen)
  return told === 'id' && (await isOfKeys(probing, users, seen.rows)) ? 'ksort' : told
}

export async function tellOrderOfApps(probing: Probing): Promise<Order | null> {
  const { most } = await probing.listLimit()
  if (most === 1 || probing.apps.length === 0) return null
  const apps: Subject = {
    question: questions.apps,
    // An app has no id among its fields.
    idOf: (name, fields) => (fields.get('version') ? name : undefined),
    ids: [...new Set([...probing.apps, ...probing.samples.apps])],
    orders: ['asked', 'id', 'name', 'id desc', ...ordersOfApps],
  }
  return toldBy(await seeLists(probing, apps, most))
}

/** Whether users that are found by their names are in the order of these, where ids are in that of ids. */
async function isOfKeys({ ask }: Probing, users: Subject, rows: readonly Placed[]): Promise<boolean> {
  const names = rows.slice(0, SURE).map(({ entry }) => String(entry?.username))
  // The wrong way round, whatever the order is.
  const asked = names.toSorted().toReversed()
  const found = rowsIn(await ask(questions.inXml(questions.by('username', asked))), users)
  const isAsked = found.every(({ entry }, at) => entry?.username === asked[at])
  return found.length > 2 && !isAsked && explains('ksort', [], found) && !explains('id', [], found)
}
