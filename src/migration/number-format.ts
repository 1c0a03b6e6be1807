// How numbers are written, in a terminal and on a page alike.

export const count = (number: number) => number.toLocaleString('en')

/** Never 100 % for what is not all, nor 0 % for what is there. */
export function percent(part: number): string {
  if (part > 0 && part < 0.0001) return '< 0.01 %'
  return `${(Math.floor(part * 10_000) / 100).toFixed(2)} %`
}
