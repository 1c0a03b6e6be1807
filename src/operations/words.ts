// Numbers and times, as the page shows them.

import { count, percent } from '../text.ts'

/** `12.3`, `0.05`: as many digits as tell something. */
export function rate(perSecond: number): string {
  return count(Number(perSecond.toPrecision(perSecond >= 100 ? 4 : 2)))
}

export function shareText(part: number, all: number): string {
  return all === 0 ? '–' : percent(part / all)
}

/** `3 d 4 h`, `5 min 10 s` */
export function age(milliseconds: number): string {
  const seconds = Math.max(Math.floor(milliseconds / 1000), 0)
  const units = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const
  const first = units.findIndex(([number]) => number > 0)
  const shown = first === -1 ? units.slice(-1) : units.slice(first, first + 2)
  return shown.map(([number, unit]) => `${number} ${unit}`).join(' ')
}

/** `2026-11-22 09:15:30 UTC` */
export const moment = (date: Date) => `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
/** `09:15:30` */
export const clock = (time: number) => new Date(time).toISOString().slice(11, 19)
