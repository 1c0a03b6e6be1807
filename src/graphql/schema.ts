// The schema is what its types' files add up to.

import './user.ts'
import './app.ts'
import { builder } from './builder.ts'

export const schema = builder.toSchema({ sortSchema: false })
