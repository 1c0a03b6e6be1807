// All that a probe looks at: one row each, a question and how its answer is put in words. What the
// specification shows is asked, too: no service is taken at its word.

import { questions, UNKNOWN } from '../../gateway/legacy/habits/questions.ts'
import type { Reply } from '../../stores/old-service/call.ts'
import type { Ask, Outcome } from './ask.ts'
import type { Chat } from './chat.ts'
import {
  describeFields,
  describeFormat,
  describeOrder,
  describeOutcome,
  describeRefusal,
  describeXml,
} from './describe.ts'
import { describeForm, header, jsonForm, xmlForm } from './form.ts'
import type { Known } from './known.ts'
import { findListLimit, MAX_LIST_VALUES } from './limit.ts'

export interface Behaviour {
  readonly name: string
  /** Whether it is what clients read, or only the form of it. */
  readonly about: 'meaning' | 'form'
  readonly observe: (ask: Ask) => Promise<string>
}

export function behavioursOf({ users, apps }: Known, { method, chats }: Chat): Behaviour[] {
  const { byId, by, apps: byAppId, inXml } = questions
  const id = String(users[0]?.id ?? '')
  const name = users[0]?.username ?? ''
  const app = String(apps[0]?.id ?? '')
  const ids = users.map((user) => String(user.id))

  function row(
    about: Behaviour['about'],
    title: string,
    query: string,
    describe: (outcome: Outcome) => string,
  ): Behaviour {
    return { name: title, about, observe: async (ask) => describe(await ask(query)) }
  }
  const entries = (title: string, query: string, asked: readonly string[]) =>
    row('meaning', title, query, (outcome) => describeOutcome(outcome, asked))
  const form = (title: string, query: string, read: (reply: Reply) => string) =>
    row('form', title, query, (outcome) => describeForm(outcome, read))
  /** A list as it stands in the address. */
  const raw = (title: string, list: string, asked: readonly string[]) =>
    entries(title, `Event=ProfileLookup&Users=${list}`, asked)
  const user = `Event=ProfileLookup&Users=${id}`

  const shapes = [
    row('meaning', 'fields of a user', byId([id]), (outcome) => describeFields(outcome, id)),
    row('meaning', 'fields of a user in XML', inXml(byId([id])), (outcome) => describeXml(outcome, id)),
    ...(app === ''
      ? []
      : [
          row('meaning', 'fields of an app', byAppId([app]), (outcome) => describeFields(outcome, app)),
          row('meaning', 'fields of an app in XML', inXml(byAppId([app])), (outcome) =>
            describeXml(outcome, app),
          ),
        ]),
  ]
  const unknown = [
    entries('an unknown id beside a known one', byId([id, UNKNOWN]), [id, UNKNOWN]),
    entries('an unknown id beside a known one, in XML', inXml(byId([id, UNKNOWN])), [id, UNKNOWN]),
    entries('only an unknown id', byId([UNKNOWN]), [UNKNOWN]),
    entries('only an unknown id, in XML', inXml(byId([UNKNOWN])), [UNKNOWN]),
    entries('an unknown username', by('username', ['no such user']), ['no such user']),
    entries('an unknown app', byAppId([UNKNOWN]), [UNKNOWN]),
  ]
  const malformed = [
    entries('a word among ids', byId([id, 'abc']), [id, 'abc']),
    entries('only a word', byId(['abc']), ['abc']),
    entries('a word as the id of an app', byAppId(['abc']), ['abc']),
    ...[`0${id}`, `${id}.0`, `${id}e0`, ` ${id}`, `+${id}`, `-${id}`, '99999999999999999999'].map((value) =>
      entries(`${JSON.stringify(value)} as an id`, byId([value]), [value]),
    ),
  ]
  const lists = [
    entries('an id twice', byId([id, id]), [id]),
    raw('empty segments', `:${id}::`, [id]),
    raw('a list with nothing in it', '', []),
    raw('a list of colons', '::', []),
    entries('no list', 'Event=ProfileLookup', []),
    raw('colons as %3A', ids.join('%3A'), ids),
    row('meaning', 'order in XML', inXml(byId(ids.toReversed())), describeOrder),
    {
      name: 'ids in a list',
      about: 'meaning',
      observe: async (ask) => {
        const { most, beyond } = await findListLimit(ask, id, await ask(byId([UNKNOWN])))
        return most === null ? `no limit up to ${MAX_LIST_VALUES}` : `${most} at most, longer ones ${beyond}`
      },
    } satisfies Behaviour,
  ]
  const swapped = swapCase(name)
  const names = [
    entries('a username', by('username', [name]), [name]),
    ...(swapped === name
      ? []
      : [entries('a username in another case', by('username', [swapped]), [swapped])]),
  ]
  const methods = [
    ...chatRows(method, [...chats.keys()], entries),
    entries('an empty method', by('', [id]), [id]),
    entries('an unknown method', by('nosuchmethod', [id]), [id]),
    entries('a method in another case', by('Username', [name]), [name]),
  ]
  const parameters = [
    ...['JSON', 'json', 'xml', 'YAML', ''].map((format) =>
      row('meaning', `Format=${format}`, `${user}&Format=${format}`, describeFormat),
    ),
    entries('no event', 'Users=1', []),
    entries('an unknown event', questions.unknownEvent, []),
    entries('an event in another case', user.replace('ProfileLookup', 'profilelookup'), [id]),
    entries('a parameter in another case', user.replace('Users', 'users'), [id]),
    entries('an unknown parameter', `${user}&more=1`, [id]),
    entries('the list given twice', `${user}&Users=${UNKNOWN}`, [id, UNKNOWN]),
    raw('broken percent-encoding', `${id}:%ZZ`, [id]),
    raw('bytes that are no UTF-8', `${id}:%FF`, [id]),
    raw('a NUL', `${id}:%00`, [id]),
    row('meaning', 'an error, asked for in XML', inXml(questions.unknownEvent), describeFormat),
  ]
  const forms = [
    form('bytes of JSON', byId(ids), jsonForm),
    ...(app === '' ? [] : [form('bytes of JSON of an app', byAppId([app]), jsonForm)]),
    form('bytes of XML', inXml(byId(ids)), xmlForm),
    row('form', 'shape of an error', questions.unknownEvent, describeRefusal),
    form('Content-Type of JSON', user, header('content-type')),
    form('Content-Type of XML', inXml(user), header('content-type')),
    form('Cache-Control', user, header('cache-control')),
    form('Access-Control-Allow-Origin', user, header('access-control-allow-origin')),
    {
      name: 'HEAD',
      about: 'form',
      observe: async (ask) =>
        describeForm(
          await ask(user, { method: 'HEAD' }),
          ({ status, body }) => `status ${status}, ${body.length} bytes`,
        ),
    } satisfies Behaviour,
  ]
  return [...shapes, ...unknown, ...malformed, ...lists, ...names, ...methods, ...parameters, ...forms]
}

function chatRows(
  method: string | null,
  chats: readonly string[],
  entries: (title: string, query: string, asked: readonly string[]) => Behaviour,
): Behaviour[] {
  if (method === null) return []
  const named = (value: string) =>
    entries(`method ${method}, unknown`, questions.by(method, [value]), [value])
  const found = chats.map((chat) =>
    entries(`method ${method}, ${chat}`, questions.by(method, [chat]), [chat]),
  )
  return [...found, named('no such identifier')]
}

function swapCase(text: string): string {
  return [...text]
    .map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()))
    .join('')
}
