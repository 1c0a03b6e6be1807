import { matching } from '../../../setting-kinds.ts'

const pattern = /^[\w.+-]{1,64}\/[\w.+-]{1,64}(?:; ?[\w-]{1,32}="?[\w.:-]{1,64}"?){0,2}$/

export const allowedMediaType = 'a media type such as text/html or application/json; charset=utf-8'
export const isMediaType = (text: string) => pattern.test(text)

/** A setting that is a media type, as a Content-Type header has it. */
export function mediaType<Name extends string>(name: Name, byDefault: string, purpose: string) {
  return matching(name, byDefault, allowedMediaType, purpose, pattern)
}
