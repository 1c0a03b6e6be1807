import { expect, onTestFinished, test } from 'vitest'
import { engines } from '../../kit/engines.ts'
import { startGatewayOn } from '../../kit/server-gateway.ts'
import { ask } from './support/ask.ts'
import { caseData, cases } from './support/cases.ts'

test.each(engines.map((engine) => [engine.name, engine] as const))(
  'over %s, the gateway sends the bytes of PHP',
  async (_, engine) => {
    const { url, close } = await startGatewayOn(engine)({}, caseData)
    onTestFinished(close)
    for (const { name, request, response } of cases)
      expect.soft(await ask(url, request), name).toMatchObject({ status: 200, body: response })
  },
)
