// The rows about how a request is read: its methods and its other parameters.

import { questions, UNKNOWN } from '../../gateway/legacy/habits/questions.ts'
import { asked, type Behaviour, entries } from './behaviour.ts'
import type { Chat } from './chat.ts'
import { describeFormat, describeJsonp, describePost } from './describe-shape.ts'
import { always, judgeAnswers, judgeJsonp } from './judging.ts'
import { type Known, unknownEventOf } from './known.ts'

const { byId, by, inXml } = questions

/** A list as it stands in the address. */
const listed = (title: string, list: string, values: readonly string[]) =>
  entries(title, `Event=ProfileLookup&Users=${list}`, values)

export function methodsOf({ users: [user] }: Known, { method, chats }: Chat): Behaviour[] {
  const id = String(user?.id ?? '')
  const name = user?.username ?? ''
  const nobody = 'no such identifier'
  const ofChat =
    method === null
      ? []
      : [
          ...[...chats.keys()].map((chat) =>
            entries(`method ${method}, ${chat}`, questions.by(method, [chat]), [chat]),
          ),
          entries(`method ${method}, unknown`, by(method, [nobody]), [nobody], 'unknown'),
        ]
  return [
    ...ofChat,
    entries('an empty method', by('', [id]), [id]),
    entries('an unknown method', by('nosuchmethod', [id]), [id]),
    entries('a method in different case', by('Username', [name]), [name]),
  ]
}

export function parametersOf(known: Known): Behaviour[] {
  const { users, apps } = known
  const id = String(users[0]?.id ?? '')
  const app = apps[0] === undefined ? undefined : String(apps[0].id)
  const found = byId([id])
  const judgeFormat = judgeAnswers('format')
  return [
    ...['JSON', 'json', 'xml', 'YAML', ''].map((format) =>
      asked(`Format=${format}`, `${found}&Format=${format}`, describeFormat, judgeFormat),
    ),
    entries('no event parameter', questions.noEvent(id, app), [id]),
    entries('an unknown event', unknownEventOf(known), [id]),
    entries('an event in different case', found.replace('ProfileLookup', 'profilelookup'), [id]),
    entries('a parameter in different case', found.replace('Users', 'users'), [id]),
    // It shows, too, what becomes of a parameter that nobody knows.
    asked('callback= (JSONP)', `${found}&callback=cb`, describeJsonp('cb', [id]), judgeJsonp),
    entries('the list parameter twice', `${found}&Users=${UNKNOWN}`, [id, UNKNOWN]),
    listed('broken percent-encoding', `${id}:%ZZ`, [id]),
    listed('invalid UTF-8', `${id}:%FF`, [id]),
    listed('a NUL character', `${id}:%00`, [id]),
    asked('an error, requested in XML', inXml(unknownEventOf(known)), describeFormat, judgeFormat),
    {
      name: 'POST',
      judge: always('post'),
      isOwn: true,
      observe: async (ask) => {
        const outcome = await ask(found, { method: 'POST' })
        return { kind: 'entries', text: describePost(outcome) }
      },
    },
  ]
}
