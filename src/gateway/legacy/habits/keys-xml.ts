import { nameWords, parseEntryNames } from '../../../entry-names.ts'
import { optional } from '../../../setting-kinds.ts'
import { habit } from './habit.ts'
import type { Probing } from './heard.ts'
import { effectOfNames, keys, tellNames } from './keys.ts'
import { isFound, onlyId } from './known.ts'
import { questions } from './questions.ts'

/**
 * An array of PHP has keys, and a loop that writes XML an attribute: many a service that names the entries of
 * one by id names those of the other by what was asked for.
 */
export const keysXml = habit({
  setting: optional(
    'LEGACY_KEYS_XML',
    `as LEGACY_KEYS: ${nameWords.join(', ')}; and, after commas, others for single methods`,
    'the same in XML; unset: as LEGACY_KEYS has it',
    (text) => (parseEntryNames(text) === null ? undefined : text),
  ),
  effect: (value, outcome) =>
    value === null || outcome.format !== 'XML' ? null : effectOfNames(value, outcome),
  tell: async (probing) => {
    const inXml = inXmlOnly(probing)
    if (!isFound(await onlyId(inXml, probing.ids[0] ?? ''), probing)) return null
    const told = await tellNames(inXml)
    // Nothing is to be said where it follows what JSON has.
    return told === (await keys.tell(probing)) ? null : told
  },
})

/** Asks in XML what has an entry in JSON: of others, XML has no more to tell. */
function inXmlOnly(probing: Probing): Probing {
  const ask: Probing['ask'] = async (query, path) => {
    const inJson = await probing.ask(query, path)
    return inJson?.entries?.size === 1 ? probing.ask(questions.inXml(query), path) : inJson
  }
  return { ...probing, ask }
}

/** What names the entries of an answer. */
export function namesIn(
  format: 'JSON' | 'XML',
  { keys: own, keysXml: inXml }: { readonly keys: string; readonly keysXml: string | null },
): string {
  return format === 'XML' ? (inXml ?? own) : own
}
