import type { User } from '../../../data/users.ts'
import { LookupError } from '../../../errors.ts'
import type { LookupMethod } from '../../../model.ts'
import type { Dialect } from '../../../settings.ts'
import { finder } from '../habits/any-case.ts'
import { separators } from '../habits/list.ts'
import { isEmptyMethodId } from '../habits/other-method.ts'
import { ProfileLookupDocument } from '../operations.generated.ts'
import { defineEvent, type Entry, type LegacyEvent } from './event.ts'
import { type Ask, askByIds, askByTexts, askByUsernames, askForNobody, listParser } from './values.ts'

const METHOD = 'MethodOfAccessingUserInformation'

const common = { joinDate: 1199145600, isConfirmed: true, banned: false }

function describeMethods({ anyCase, otherMethod }: Dialect): string {
  const inCase = anyCase.includes('methods') ? ', in any case' : ''
  const others = {
    refuse: '',
    'refuse-empty': '',
    id: ' Any other means id.',
    username: ' Any other means username.',
    unknown: ' With any other, nothing matches.',
  }
  return `How the entries of Users are read${inCase}.${others[otherMethod]}`
}

/** ProfileLookup: public information about users (specification 4.1). */
export function profileLookup(dialect: Dialect): LegacyEvent {
  const methods = new Map<string, LookupMethod>([
    ['id', 'ID'],
    ['username', 'USERNAME'],
    [dialect.chatMethod, 'CHAT'],
  ])
  const parseList = listParser('Users', dialect)
  const asks: Readonly<Record<LookupMethod, Ask>> = {
    ID: askByIds(dialect, `; for usernames, add ${METHOD}=username`),
    USERNAME: askByUsernames(dialect),
    CHAT: askByTexts(dialect),
  }
  const allowed = [...methods.keys()]
  const find = finder(methods, dialect.anyCase.includes('methods'))
  const { otherMethod } = dialect
  const emptyIsId = isEmptyMethodId(otherMethod)
  const isRefused = otherMethod === 'refuse' || otherMethod === 'refuse-empty'
  return defineEvent<User>()({
    subject: 'users',
    name: 'ProfileLookup',
    order: { setting: 'LEGACY_ORDER', value: dialect.order },
    description: 'Basic public information about one or more users.',
    parameters: [
      {
        name: METHOD,
        required: false,
        description: describeMethods(dialect),
        allowed,
        example: 'id',
      },
      {
        name: 'Users',
        required: true,
        description: `Usernames, chat-platform identifiers or numeric identifiers, separated by ${separators[dialect.list]}.`,
        list: true,
        example: '1:2',
      },
    ],
    fields: {
      id: { name: 'Id', type: 'integer', description: 'Numeric identifier of the user.' },
      username: { name: 'Username', type: 'string', description: 'Account name of the user.' },
      displayName: {
        name: 'DisplayName',
        type: 'string',
        description: 'Display name of the user.',
      },
      rank: { name: 'Rank', type: 'integer', description: 'Rank of the user.' },
      joinDate: {
        name: 'JoinDate',
        type: 'integer',
        description: "Time of joining, in the service's own unit and epoch.",
      },
      isConfirmed: {
        name: 'IsConfirmed',
        type: 'boolean',
        description: 'Whether the user is confirmed.',
        xml: 'digit',
      },
      banned: {
        name: 'Banned',
        type: 'boolean',
        description: 'Whether the user is banned.',
        xml: 'flag',
      },
    },
    example: {
      values: ['1', '2', '3'],
      entries: [
        { ...common, id: '1', username: 'Ada', displayName: 'Ada of the Hill', rank: 9 },
        { ...common, id: '2', username: 'søren', displayName: 'Søren Ærlig ÿĀ', rank: 3 },
        { ...common, id: '3', username: 'mallory', displayName: 'Mallory', rank: 1, banned: true },
      ],
    },
    operation: ProfileLookupDocument,
    parse: (parameter) => {
      const given = parameter(METHOD)
      const name = given === '' && emptyIsId ? 'id' : (given ?? 'id')
      const by = find(name) ?? methods.get(otherMethod)
      if (by === undefined && isRefused) {
        throw new LookupError('UnknownMethod', [METHOD, name, allowed.join(', ')])
      }
      const { values, isCut } = parseList(parameter('Users'), by === 'ID')
      // Nobody is found by an unknown method, where that is no error.
      const { wanted, places } = by === undefined ? askForNobody(values) : asks[by](values)
      const variables = { by: by ?? 'ID', values: wanted }
      const areUsernames = by === 'USERNAME'
      const isFor = areUsernames && dialect.usernames === 'exact' ? isSpeltSo : null
      return { values, isCut, variables, places, isFor, areIds: by === 'ID', areUsernames }
    },
  })
}

const isSpeltSo = (value: string, { username }: Entry) => username === value
