// Where connections wait while no worker is there: node:cluster stops listening with the last worker, and
// clients would be refused until the next one listens.

import type { Server, Socket } from 'node:net'
import type { WorkerProcess } from './worker-process.ts'

const net = process.getBuiltinModule('node:net')

/** Milliseconds after which clients had better ask elsewhere: no worker can start. */
const MAX_WAIT_MS = 5_000
/** Connections that wait; more are closed. */
const MAX_WAITING_CONNECTIONS = 1_000

export interface WaitingRoom {
  /** Opens when this worker was the last one, and gives it the clients that wait when it is the next. */
  readonly watch: (child: WorkerProcess, isNeedless: () => boolean) => void
  /** Sends away the clients that wait. */
  readonly close: () => void
}

export function createWaitingRoom(port: number, host: string): WaitingRoom {
  /** By numbers, with the worker that each was given to, which may die before it has it. */
  const waiting = new Map<number, { readonly socket: Socket; to: WorkerProcess | null }>()
  let arrived = 0
  let server: Server | null = null
  let late: NodeJS.Timeout | undefined

  function open(): void {
    late ??= setTimeout(close, MAX_WAIT_MS).unref()
    // Nothing is read here: the worker reads it all.
    server ??= net
      .createServer({ pauseOnConnect: true }, receive)
      // Where it cannot listen, clients are refused, as they would be without it.
      .on('error', shut)
      .listen(port, host)
  }

  function receive(socket: Socket): void {
    const number = arrived++
    socket.on('error', () => {}).once('close', () => waiting.delete(number))
    if (waiting.size >= MAX_WAITING_CONNECTIONS) socket.destroy()
    else waiting.set(number, { socket, to: null })
  }

  function shut(): void {
    server?.close()
    server = null
  }

  function stopTimer(): void {
    clearTimeout(late)
    late = undefined
  }

  function giveTo(child: WorkerProcess): void {
    stopTimer()
    for (const [number, one] of waiting) {
      if (one.to !== null) continue
      one.to = child
      child.worker.send({ waited: number }, one.socket, { keepOpen: true }, () => {})
    }
  }

  function close(): void {
    stopTimer()
    shut()
    for (const { socket } of waiting.values()) socket.destroy()
  }

  function watch(child: WorkerProcess, isNeedless: () => boolean): void {
    const { worker, ended } = child
    let asked = false
    const look = () => {
      if (asked && !worker.isConnected() && !isNeedless()) open()
    }
    // node:cluster stops listening at either, whichever is the later.
    worker.on('exit', look).on('disconnect', look)
    // Before node:cluster listens for a worker, which asks for that. Were it to ask in another way one day,
    // the port would be taken for as long as the room is open.
    worker.process.prependListener('internalMessage', ({ act }: { act?: string }) => {
      if (act !== 'queryServer') return
      asked = true
      shut()
    })
    worker.on('listening', () => giveTo(child))
    // It has a descriptor of its own.
    worker.on('message', ({ taken }: { taken?: number }) => {
      if (taken !== undefined) waiting.get(taken)?.socket.destroy()
    })
    void ended.then(() => {
      for (const one of waiting.values()) if (one.to === child) one.to = null
    })
  }

  return { watch, close }
}
