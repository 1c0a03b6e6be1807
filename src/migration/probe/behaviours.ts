// All that a probe looks at: one row each, a question and how its answer is put in words. What the
// specification shows is asked, too: no service is taken at its word.

import { otherCase } from '../../gateway/legacy/habits/known.ts'
import { outOfOrder, questions, UNKNOWN } from '../../gateway/legacy/habits/questions.ts'
import { MAX_NAME_LENGTH } from '../../model.ts'
import { asked, type Behaviour, entries, fields } from './behaviour.ts'
import type { Chat } from './chat.ts'
import { describeFields, describeOrder, describeXml } from './describe-shape.ts'
import { formsOf } from './forms.ts'
import { judgeAnswers, judgeOrder } from './judging.ts'
import { idsOf, type Known } from './known.ts'
import { findListLimit, MAX_LIST_VALUES } from './limit.ts'
import { methodsOf, parametersOf } from './request-rows.ts'

const { byId, by, apps: byAppId, inXml } = questions

/** A list as it stands in the address. */
const rawly = (list: string) => `Event=ProfileLookup&Users=${list}`
const raw = (title: string, list: string, values: readonly string[]) => entries(title, rawly(list), values)
const reading = judgeAnswers('reading')

export function behavioursOf(known: Known, chat: Chat): Behaviour[] {
  return [
    ...shapesOf(known),
    ...unknownOf(known),
    ...malformedOf(known),
    ...listsOf(known),
    ...namesOf(known),
    ...ordersOf(known),
    ...methodsOf(known, chat),
    ...parametersOf(known),
    ...formsOf(known),
  ]
}

function shapesOf(known: Known): Behaviour[] {
  const [id = ''] = idsOf(known.users)
  const app = String(known.apps[0]?.id ?? '')
  const ofApp = [
    fields('fields of an app', byAppId([app]), app, describeFields),
    fields('fields of an app in XML', inXml(byAppId([app])), app, describeXml),
  ]
  return [
    fields('fields of a user', byId([id]), id, describeFields),
    fields('fields of a user in XML', inXml(byId([id])), id, describeXml),
    ...(app === '' ? [] : ofApp),
  ]
}

function unknownOf(known: Known): Behaviour[] {
  const [id = ''] = idsOf(known.users)
  return [
    entries('an unknown id next to a known one', byId([id, UNKNOWN]), [id, UNKNOWN], 'unknown'),
    entries(
      'an unknown id next to a known one, in XML',
      inXml(byId([id, UNKNOWN])),
      [id, UNKNOWN],
      'unknown',
    ),
    entries('only an unknown id', byId([UNKNOWN]), [UNKNOWN], 'unknown'),
    entries('only an unknown id, in XML', inXml(byId([UNKNOWN])), [UNKNOWN], 'unknown'),
    entries('an unknown username', by('username', ['no such user']), ['no such user'], 'unknown'),
    entries('an unknown app', byAppId([UNKNOWN]), [UNKNOWN], 'unknown'),
  ]
}

function malformedOf(known: Known): Behaviour[] {
  const [id = ''] = idsOf(known.users)
  const spelled = [
    ...[`0${id}`, `${id}.0`, `${id}e0`, ` ${id}`, `+${id}`, `-${id}`, `${id}abc`],
    '99999999999999999999',
  ]
  return [
    entries('a word among ids', byId([id, 'abc']), [id, 'abc']),
    entries('only a word', byId(['abc']), ['abc']),
    entries('a word as an app id', byAppId(['abc']), ['abc']),
    ...spelled.map((value) => entries(`${JSON.stringify(value)} as an id`, byId([value]), [value])),
  ]
}

function listsOf(known: Known): Behaviour[] {
  const ids = idsOf(known.users)
  const [id = '', other = UNKNOWN] = ids
  return [
    entries('an id twice', byId([id, id]), [id]),
    asked('an id twice, in XML', inXml(byId([id, id])), describeOrder, reading),
    raw('empty segments', `:${id}::`, [id]),
    raw('an empty list', '', []),
    entries('an empty list, in XML', inXml(rawly('')), []),
    raw('a list of colons', '::', []),
    entries('no list parameter', questions.noList, []),
    raw('colons as %3A', ids.join('%3A'), ids),
    raw('commas as separators', `${id},${other}`, [id, other]),
    raw('spaces around values', `${id}%20:%20${other}`, [id, other]),
    {
      name: 'ids in one list',
      judge: reading,
      // Beyond what fits in a call, the store is asked several times.
      isOwn: true,
      observe: async (ask) => {
        const { most, beyond } = await findListLimit(ask, ids)
        const text =
          most === null ? `no limit up to ${MAX_LIST_VALUES}` : `at most ${most}, longer lists ${beyond}`
        return { kind: 'entries', text }
      },
    },
  ]
}

const MAX_NAMES = 12

/** Of all that are known: two are in the order of some field by chance. */
function ordersOf({ users, apps, samples }: Known): Behaviour[] {
  const all = [...users, ...samples.users]
  const ids = distinctIds(all)
  // A hundred long ones would not fit in an address.
  const names = ids
    .slice(0, MAX_NAMES)
    .flatMap((wanted) => all.find(({ id }) => String(id) === wanted)?.username ?? [])
  const ofApps = distinctIds([...apps, ...samples.apps])
  const inOrder = (name: string, question: string) =>
    asked(name, inXml(question), describeOrder, judgeAnswers('elementOrder'))
  return [
    asked('order in JSON', byId(ids), describeOrder, judgeOrder),
    inOrder('order in XML', byId(ids)),
    ...(ids.length < 2 ? [] : [inOrder('order of usernames in XML', by('username', names))]),
    ...(ofApps.length < 2 ? [] : [inOrder('order of apps in XML', byAppId(ofApps))]),
  ]
}

const distinctIds = (rows: readonly { readonly id: number }[]) => outOfOrder([...new Set(idsOf(rows))])

function namesOf({ users: [user] }: Known): Behaviour[] {
  const name = user?.username ?? ''
  const [swapped, accented] = [otherCase(name), swapAccent(name)]
  const named = (title: string, value: string) => entries(title, by('username', [value]), [value])
  return [
    named('a username', name),
    ...(swapped === name ? [] : [named('a username in different case', swapped)]),
    ...(accented === name ? [] : [named('a username with a different accent', accented)]),
    named('a username with a trailing space', `${name} `),
  ]
}

/** Without its accents; one without any gets one. */
function swapAccent(text: string): string {
  // What is longer than a username is not normalised: that takes quadratic time.
  if (text.length > MAX_NAME_LENGTH) return text
  const plain = text.normalize('NFD').replace(/\p{M}+/gu, '')
  return plain === text ? text.replace(/[aeiou]/i, (letter) => `${letter}\u0301`.normalize('NFC')) : plain
}
