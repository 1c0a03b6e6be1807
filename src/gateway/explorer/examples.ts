// What the form begins with: values that are there, where the gateway can tell, or those of the declarations.

import type { Examples } from '../../stores/examples.ts'
import type { ShownEvent } from '../pages/explorer.ts'

/** @param method how the entries of a list are read, where the event has several ways */
export function exampleOf(
  { subject, parameters }: ShownEvent,
  name: string,
  method: string | undefined,
  examples: Examples,
): string {
  const parameter = parameters.find((one) => one.name === name)
  if (parameter === undefined) return ''
  const found = method === 'username' ? examples.usernames : (subject && examples[subject]) || []
  return parameter.list && found.length > 0 ? found.join(':') : parameter.example
}
