// The table of relations.

import { apps } from './apps.ts'
import type { Relation } from './relation.ts'
import { users } from './users.ts'

export const relations: Readonly<Record<Relation['name'], Relation>> = { users, apps }
