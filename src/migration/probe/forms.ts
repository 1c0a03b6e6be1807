// The rows about what only bytes and headers show.

import { questions } from '../../gateway/legacy/habits/questions.ts'
import { asked, type Behaviour, form } from './behaviour.ts'
import { describeRefusal } from './describe-shape.ts'
import { byteOrderMark, charset, header, jsonForm, xmlForm } from './form.ts'
import { always, judgeError, judgeMediaType } from './judging.ts'
import type { Known } from './known.ts'

const { byId, apps: byAppId, inXml } = questions

export function formsOf({ users, apps }: Known): Behaviour[] {
  const ids = users.map(({ id }) => String(id))
  const app = String(apps[0]?.id ?? '')
  const user = byId(ids.slice(0, 1))
  const forHeaders = always('header')
  return [
    form('form of JSON', byId(ids), jsonForm),
    ...(app === '' ? [] : [form('form of JSON of an app', byAppId([app]), jsonForm)]),
    form('form of XML', inXml(byId(ids)), xmlForm),
    { ...asked('text of an error', questions.unknownEvent, describeRefusal, judgeError), isOwn: true },
    form('Content-Type of JSON', user, header('content-type'), judgeMediaType),
    form('Content-Type of XML', inXml(user), header('content-type'), judgeMediaType),
    form('charset of JSON', byId(ids), charset, always('charset')),
    form('charset of XML', inXml(byId(ids)), charset, always('charset')),
    form('byte order mark', user, byteOrderMark, always('byteOrderMark')),
    form('Cache-Control', user, header('cache-control'), forHeaders),
    form('Access-Control-Allow-Origin', user, header('access-control-allow-origin'), forHeaders),
    form('HEAD', user, ({ status, body }) => `status ${status}, ${body.length} bytes`, forHeaders, 'HEAD'),
  ]
}
