import { onTestFinished } from 'vitest'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import * as cutover from '../cutover/support.ts'

export { answering, ofType, startTwin } from '../cutover/support.ts'

/** A gateway that compares all its responses. */
export async function shadowed(
  { url }: { readonly url: string },
  settings: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  const gateway = await startGateway({ SHADOW_URL: url, SHADOW_SAMPLE: '1', ...settings })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= gateway.close()
    return closing
  }
  onTestFinished(close)
  return { ...gateway, close }
}

export const results = (gateway: Gateway) => cutover.results(gateway).toSorted()

export const ask = async ({ url }: Gateway, query: string) => (await fetch(`${url}/?Event=${query}`)).text()
