import type { Listener } from '../gateway/http/server.ts'
import { CommandError } from '../terminal/command-error.ts'

/** @throws CommandError with what to change where a port or an address cannot be listened on */
export async function listenOrExplain(
  setting: 'PORT' | 'ADMIN_PORT',
  start: () => Promise<Listener>,
): Promise<Listener> {
  try {
    return await start()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    // A port may be taken or forbidden; everything else is about the address.
    const wrong = /EADDRINUSE|EACCES/.test(reason) ? setting : setting.replace('PORT', 'HOST')
    throw new CommandError(`Cannot listen: ${reason}. Choose another ${wrong}.`)
  }
}
