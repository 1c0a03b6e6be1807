import type { Html } from './html.ts'

/** A section of a page that is made by itself: one that hangs or fails leaves the others as they are. */
export interface PagePart {
  readonly title: string
  /** `null` where there is nothing to say: it is left out. */
  readonly body: () => Html | null | Promise<Html | null>
}
