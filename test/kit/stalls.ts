import type { Observation } from '../../src/observation.ts'

/**
 * Whether a query was given to another server since the machine had no time for the first one: a busy machine
 * may keep a program waiting for as long as that.
 */
export function isStall(observation: Observation): boolean {
  return observation.type === 'store-retried' && observation.reason.startsWith('no response within 150 ms')
}
