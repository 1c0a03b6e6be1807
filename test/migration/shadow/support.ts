import { onTestFinished } from 'vitest'
import type { Observation } from '../../../src/observe/events.ts'
import { startAnswering } from '../../kit/answering.ts'
import { type Gateway, startGateway } from '../../kit/gateway.ts'
import { type Switches, startOldService } from '../../kit/old-service.ts'

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

export async function answering(answer: Parameters<typeof startAnswering>[0]) {
  const service = await startAnswering(answer)
  onTestFinished(service.close)
  return service
}

export async function startTwin(switches: Switches = {}) {
  const old = await startOldService({ xmlDeclaration: false, ...switches })
  onTestFinished(old.close)
  return old
}

export const ofType = <Type extends Observation['type']>({ observations }: Gateway, type: Type) =>
  observations.filter((one): one is Extract<Observation, { type: Type }> => one.type === type)

export const results = (gateway: Gateway) =>
  ofType(gateway, 'shadow-compared')
    .flatMap(({ count, result }) => Array<typeof result>(count).fill(result))
    .toSorted()

export const ask = async ({ url }: Gateway, query: string) => (await fetch(`${url}/?Event=${query}`)).text()
