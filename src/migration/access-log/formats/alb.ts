// Load balancers of AWS: ALB, and the classic ELB, which writes no type at the beginning.

import { addressIn, quoted, requestIn, textOf, unescaped } from '../line.ts'
import { createTimeReader } from '../time.ts'
import { type LineReader, plainFormat } from './format.ts'

const logged = new RegExp(
  `^(?:[a-z0-9]{1,8} )?(\\d{4}-\\d\\d-\\d\\dT[\\d:.]{8,20}Z) \\S+ (\\S+)(?: \\S+){8} ${quoted}(?: ${quoted})?`,
)

function createReader(): LineReader {
  const timeOf = createTimeReader()
  return (line) => {
    const [, time, client, request, userAgent] = logged.exec(line) ?? []
    if (time === undefined || client === undefined || request === undefined) return 'unreadable'
    const asked = requestIn(unescaped(request))
    if (asked === null) return 'no request'
    return {
      ...asked,
      address: addressIn(client),
      userAgent: textOf(userAgent),
      referer: '',
      time: timeOf(time),
    }
  }
}

export const alb = plainFormat('AWS load balancer', createReader)
