// One request target a line, by itself or with a method before it.

import type { LoggedRequest, NoRequest } from '../line.ts'
import { plainFormat } from './format.ts'

export function readTarget(line: string): LoggedRequest | NoRequest {
  const [, method = 'GET', target] =
    /^(?:([A-Z]{1,20}) )?((?:\/|\?|https?:\/\/)\S*)(?: HTTP\/\d(?:\.\d)?)?\s*$/.exec(line) ?? []
  if (target === undefined) return 'unreadable'
  return { method, target, address: '', userAgent: '', referer: '', time: null }
}

export const targets = plainFormat('request targets', () => readTarget)
