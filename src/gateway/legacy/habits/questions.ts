// What is asked, where more than one part of a probe asks it.

/**
 * Identifiers that no user has: ids are given from 1 on. Some services take no more than nine digits for an
 * id.
 */
export const UNKNOWN = '987654321'
export const UNKNOWN_TOO = '987654320'

/** The questions that advice is drawn from, too. */
export const questions = {
  byId: (values: readonly string[]) => `Event=ProfileLookup&Users=${listed(values)}`,
  by: (method: string, values: readonly string[]) =>
    `Event=ProfileLookup&MethodOfAccessingUserInformation=${encodeURIComponent(method)}&Users=${listed(values)}`,
  apps: (values: readonly string[]) => `Event=AppLookup&Apps=${listed(values)}`,
  inXml: (question: string) => `${question}&Format=XML`,
  /** Both lists tell which event it is taken for, where it is. */
  unknownEvent: (id: string, app?: string) => `Event=NoSuchLookup&${questions.noEvent(id, app)}`,
  noEvent: (id: string, app?: string) => `Users=${id}${app === undefined ? '' : `&Apps=${app}`}`,
  noList: 'Event=ProfileLookup',
  noApps: 'Event=AppLookup',
}

/** What nearly every service refuses, with a user and an app that it has. */
export const refusedQuestions = (id: string, app?: string): readonly string[] => [
  questions.unknownEvent(id, app),
  questions.noList,
  questions.by('nosuchmethod', [id]),
]

/** Ids in an order that no service has by itself: falling, and the largest of three or more at the end. */
export function outOfOrder(ids: readonly string[]): string[] {
  const [largest = '', ...others] = ids.toSorted((one, other) => Number(other) - Number(one))
  return others.length < 2 ? [largest, ...others] : [...others, largest]
}

const listed = (values: readonly string[]) => values.map(encodeURIComponent).join(':')
