// What a panel says; dashboard.ts makes Grafana's JSON of it.

export interface Panel {
  readonly title: string
  readonly description: string
  /** As Grafana calls them. */
  readonly unit: 'short' | 'reqps' | 'ops' | 's' | 'bytes' | 'percentunit'
  /** Legends and PromQL. */
  readonly queries: Readonly<Record<string, string>>
  /** The top of the axis, where there is one. */
  readonly max?: number
}

/** One figure, red from some value on. */
export interface Figure extends Panel {
  readonly red: number | null
}
