// An example of views over the tables of a forum, as an operator would use it. Each engine's own test runs
// its example, and fills the tables with members from 100 on: "Member 100", shown as "Shown 100", who joined on
// 31 January 2012 and is "chat#100"; the next is shown by no other name, and banned. Members whose number is a
// multiple of three are on no chat.

import { expect, test } from 'vitest'
import type { App } from '../../../src/data/apps.ts'
import type { User } from '../../../src/data/users.ts'
import type { Store } from '../../../src/stores/store.ts'

export interface Example {
  readonly store: () => Store
  /** The rank of member 101. */
  readonly rank: number
  /** One who is not on the chat, and the key of its name. */
  readonly odd: User
  readonly oddKey: string
  readonly app: App
  /** All tables and views. */
  readonly objects: () => Promise<unknown>
  /** Runs the example, and `migrate`, once more. */
  readonly runAgain: () => Promise<unknown>
}

/** When members joined, in seconds. */
export const REGISTERED = 1_328_004_000

export function viewsExampleSuite({ store, rank, odd, oddKey, app, objects, runAgain }: Example): void {
  test('shows the users and apps of other tables', async () => {
    const member: User = {
      id: 100,
      username: 'Member 100',
      displayName: 'Shown 100',
      rank: 1,
      joinDate: REGISTERED,
      isConfirmed: false,
      banned: false,
    }
    const banned = { ...member, id: 101, username: 'Member 101', displayName: '', rank, banned: true }
    const find = store().findUsers
    expect(await find('ID', ['100', String(odd.id), '9', '101'])).toEqual([member, odd, null, banned])
    expect(await find('USERNAME', ['member 101', 'Member 101', oddKey, 'member 101 '])).toEqual([
      banned,
      null,
      odd,
      null,
    ])
    const asked = ['chat#100', `chat#${odd.id}`, 'CHAT#100', 'chat#101', 'chat#101 ']
    expect(await find('CHAT', asked)).toEqual([member, null, null, banned, null])
    expect(await store().findApps([String(app.id), '0'])).toEqual([app, null])
  })

  test('can be run twice, and migrate leaves it alone', async () => {
    const before = await objects()
    await runAgain()
    expect(await objects()).toEqual(before)
  })
}
