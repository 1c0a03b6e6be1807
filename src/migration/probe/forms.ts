// The rows about what only bytes and headers show.

import { questions } from '../../gateway/legacy/habits/questions.ts'
import { asked, type Behaviour, form } from './behaviour.ts'
import { describeRefusal } from './describe-shape.ts'
import { byteOrderMark, charset, header, jsonForm, xmlForm } from './form.ts'
import { always, judgeError, judgeForm, judgeMediaType } from './judging.ts'
import { idsOf, type Known, unknownEventOf } from './known.ts'

const { byId, apps: byAppId, inXml } = questions

export function formsOf(known: Known): Behaviour[] {
  const ids = idsOf(known.users)
  const { users, apps } = showing(known)
  const user = byId(ids.slice(0, 1))
  const forHeaders = always('header')
  return [
    form('form of JSON', byId(users), jsonForm, judgeForm),
    form('form of XML', inXml(byId(users)), xmlForm, judgeForm),
    ...(apps.length === 0 ? [] : formsOfApps(apps)),
    { ...asked('error text', unknownEventOf(known), describeRefusal, judgeError), isOwn: true },
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

function formsOfApps(apps: readonly string[]): Behaviour[] {
  return [
    form('form of JSON, apps', byAppId(apps), jsonForm, judgeForm),
    form('form of XML, apps', inXml(byAppId(apps)), xmlForm, judgeForm),
  ]
}

/** The ids of those users and apps that show most: samples, or else what is known. */
export function showing({ users, apps, samples }: Known) {
  return {
    users: idsOf(samples.users.length > 0 ? samples.users : users),
    apps: idsOf(samples.apps.length > 0 ? samples.apps : apps.slice(0, 1)),
  }
}
