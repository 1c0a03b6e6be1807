import { list } from '../../../setting-kinds.ts'
import { compareBytes } from './collations.ts'
import { habit } from './habit.ts'
import { fieldsIn, type Heard, type Probing } from './heard.ts'
import { questions } from './questions.ts'

/** By event, in the order of the specification. An app's link has the name of the service before it. */
export const fieldNames = {
  ProfileLookup: ['Id', 'Username', 'DisplayName', 'Rank', 'JoinDate', 'IsConfirmed', 'Banned'],
  AppLookup: ['Title', 'Version', 'Category', 'ChangelogLink', 'DownloadLink'],
} as const satisfies Readonly<Record<string, readonly string[]>>
const specified: readonly (readonly string[])[] = Object.values(fieldNames)
const names = specified.flat()

/** An app's link has the name of the service before it. */
export const plainName = (name: string) => (/^\w+DownloadLink$/.test(name) ? 'DownloadLink' : name)

const row = list(
  'LEGACY_FIELDS',
  `of ${names.join(', ')}, comma-separated`,
  'the fields that come first in an entry, in this order; the others follow as specified',
  (name) => names.includes(plainName(name)),
)

/** `SELECT *` has the order of a table, and a list of fields in a program that of its author. */
export const fields = habit({
  setting: {
    ...row,
    parse: (text) => {
      const parsed = row.parse(text)
      return new Set(parsed?.map(plainName)).size === parsed?.length ? parsed : undefined
    },
  },
  effect: (value, { fields: written, names: found }) =>
    found.length > 0 && value.map(plainName).some((name) => written.map(plainName).includes(name))
      ? `Fields are in the order ${written.join(', ')}.`
      : null,
  tell: async (probing) => {
    const { orders } = await hearFields(probing)
    const told = orders.flatMap((order) => (isSpecified(order) ? [] : order))
    return told.length === 0 ? null : told.join(',')
  },
})

/** Puts the fields of an event in the order of the setting. */
export function inOrder<Named extends { readonly name: string }>(
  all: readonly Named[],
  first: readonly string[],
): readonly Named[] {
  if (first.length === 0) return all
  const places = new Map(first.map((name, place) => [plainName(name), place]))
  const placeOf = ({ name }: Named) => places.get(plainName(name)) ?? first.length
  return all.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** As Python's sort_keys has it. */
export function byName<Named extends { readonly name: string }>(all: readonly Named[]): readonly Named[] {
  return all.toSorted((one, other) => compareBytes(one.name, other.name))
}

interface HeardFields {
  /** Whether JSON is written with its names in order, those of entries and those of fields. */
  readonly isSorted: boolean
  /** Of users and of apps, as far as they are known: those fields in their order that this gateway has. */
  readonly orders: readonly (readonly string[])[]
}

export async function hearFields(probing: Probing): Promise<HeardFields> {
  const { ask, ids, apps } = probing
  const heard: { readonly json: readonly string[]; readonly xml: readonly string[] }[] = []
  for (const question of [
    questions.byId(ids.slice(0, 1)),
    ...apps.slice(0, 1).map((app) => questions.apps([app])),
  ]) {
    const [json, xml] = [await ask(question), await ask(questions.inXml(question))]
    heard.push({ json: namesIn(json), xml: namesIn(xml) })
  }
  const mayBeSorted =
    heard.some(({ json }) => json.length > 1) && heard.every(({ json }) => isAscending(json))
  const areSorted = mayBeSorted ? await areEntriesSorted(probing) : false
  const isSorted = areSorted ?? heard.some(({ xml }) => !isAscending(xml))
  // Where they differ, that of XML: in JSON no client may rely on one.
  const orders = heard.map(({ json, xml }) => (isSorted || xml.length > 0 ? xml : json))
  return { isSorted, orders }
}

/** The fields of the first entry. */
function namesIn(heard: Heard | null): readonly string[] {
  const [[, said] = []] = heard?.entries ?? []
  return (fieldsIn(said) ?? []).map(([name]) => name).filter((name) => names.includes(plainName(name)))
}

function isSpecified(order: readonly string[]): boolean {
  return specified.some((all) => {
    const left = all.filter((name) => order.map(plainName).includes(name))
    return left.join() === order.map(plainName).join()
  })
}

/** `null` where it is not seen: what is in the order of texts may be in that of numbers. */
async function areEntriesSorted(probing: Probing): Promise<boolean | null> {
  const { most } = await probing.listLimit()
  const ids = [...new Set([...probing.ids, ...probing.samples.users])].slice(0, most ?? undefined)
  if (ids.length < 2) return null
  const heard = await probing.ask(questions.byId(ids.toSorted((one, other) => compareBytes(other, one))))
  const found = [...(heard?.entries?.keys() ?? [])]
  if (found.length < 2) return null
  if (!isAscending(found)) return false
  return found.every((id, at) => at === 0 || Number(id) > Number(found[at - 1])) ? null : true
}

const isAscending = (texts: readonly string[]) =>
  texts.every((text, at) => at === 0 || compareBytes(texts[at - 1] ?? '', text) < 0)
