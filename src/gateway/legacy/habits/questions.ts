// What is asked, where more than one part of a probe asks it.

/** An identifier that no user has: ids are given from 1 on. */
export const UNKNOWN = '2147483646'

/** The questions that advice is drawn from, too. */
export const questions = {
  byId: (values: readonly string[]) => `Event=ProfileLookup&Users=${listed(values)}`,
  by: (method: string, values: readonly string[]) =>
    `Event=ProfileLookup&MethodOfAccessingUserInformation=${encodeURIComponent(method)}&Users=${listed(values)}`,
  apps: (values: readonly string[]) => `Event=AppLookup&Apps=${listed(values)}`,
  inXml: (question: string) => `${question}&Format=XML`,
  unknownEvent: 'Event=NoSuchLookup&Users=1',
}

const listed = (values: readonly string[]) => values.map(encodeURIComponent).join(':')
