// Counts what each visitor asks, in memory that is bounded.

import type { Asked } from '../asked.ts'
import { dayOf } from '../days.ts'
import type { Counted, Visit, Visitor } from './visit.ts'

/** Visitors that are told apart between two writings. */
const MAX_VISITS = 10_000

const others: Visitor = { key: '', address: null, agent: '', referer: '' }

export class Visits {
  #visits = new Map<string, Visit>()

  get size(): number {
    return this.#visits.size
  }

  find(key: string): Visitor | undefined {
    return this.#visits.get(key)
  }

  add(visitor: Visitor, asked: Asked, now: number): void {
    const visit = this.#of(visitor, now)
    visit.last = now
    this.#count(visit, { ...asked, day: dayOf(now) }, 1)
  }

  /** All of them, which are here no longer. */
  take(): readonly Visit[] {
    const taken = [...this.#visits.values()]
    this.#visits = new Map()
    return taken
  }

  /** What was taken, and could not be written. */
  putBack(visits: readonly Visit[]): void {
    for (const visit of visits) {
      const own = this.#of(visit, visit.first)
      own.first = Math.min(own.first, visit.first)
      own.last = Math.max(own.last, visit.last)
      for (const counted of visit.asked.values()) this.#count(own, counted, counted.requests)
    }
  }

  #of({ key, address, agent, referer }: Visitor, now: number): Visit {
    const known = this.#visits.get(key)
    if (known !== undefined) return known
    if (this.#visits.size >= MAX_VISITS && key !== others.key) return this.#of(others, now)
    const visit = { key, address, agent, referer, first: now, last: now, asked: new Map<string, Counted>() }
    this.#visits.set(key, visit)
    return visit
  }

  #count({ asked }: Visit, one: Omit<Counted, 'requests'>, requests: number): void {
    const { day, event, method, format, problem } = one
    const key = `${day} ${event} ${method} ${format} ${problem}`
    const known = asked.get(key)
    if (known === undefined) asked.set(key, { day, event, method, format, problem, requests })
    else known.requests += requests
  }
}
