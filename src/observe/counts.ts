// What was counted by a metric, by all processes together: one number for each combination of labels.

export type CountsOf = (metric: string) => readonly Count[]

export interface Count {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

export function sumOf(counts: readonly Count[]): number {
  return counts.reduce((sum, { value }) => sum + value, 0)
}
