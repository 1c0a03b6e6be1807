import type { Listener } from '../http/server.ts'
import { CommandError } from '../terminal/command-error.ts'

/** What Node's codes mean, and what to do about it with the two settings, of a port and of an address. */
const causes: Readonly<Record<string, (port: string, host: string) => string>> = {
  EADDRINUSE: (port) =>
    `the port is already in use. Stop the program that uses it, or choose another ${port}.`,
  EACCES: (port) => `this user has no right to the port. Choose another ${port}, above 1023.`,
  EADDRNOTAVAIL: (_, host) => `this machine does not have the address. Choose another ${host}.`,
  ENOTFOUND: (_, host) => `the name has no address. Choose another ${host}.`,
}

/** @throws CommandError with what to change where a port or an address cannot be listened on */
export async function listenOrExplain(
  setting: 'PORT' | 'ADMIN_PORT',
  start: () => Promise<Listener>,
): Promise<Listener> {
  try {
    return await start()
  } catch (error) {
    const { message, code = '' }: NodeJS.ErrnoException =
      error instanceof Error ? error : new Error(String(error))
    const host = setting.replace('PORT', 'HOST')
    const explained = causes[code]?.(setting, host) ?? `check ${setting} and ${host}.`
    throw new CommandError(`Cannot listen (${message}): ${explained}`)
  }
}
