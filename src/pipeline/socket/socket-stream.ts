import { EventCutter } from '../../core/models/streams/read-server-sent-events';
import type { ServerSentEvent } from '../../core/models/streams/server-sent-event';
import type { AnswerStream } from '../call-transport';
import type { OpenSocket } from './socket-holder';

/**
 * A streamed answer as messages of a socket: each server-sent event that HTTP would carry is one, with its data as it is.
 * Comments and the mark of the end are left out, because `done` tells what they tell.
 */
export class SocketStream implements AnswerStream {
  readonly takesBody = true;
  private readonly events = new EventCutter();
  private readonly last: string[] = [];

  /** @param leaving aborts when nobody wants the answer any more */
  constructor(
    private readonly socket: OpenSocket,
    private readonly id: string,
    private readonly leaving: AbortSignal,
  ) {}

  get isGone(): boolean {
    return this.leaving.aborted || !this.socket.isOpen;
  }

  async write(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    for (const text of this.deltas(this.events.cut(bytes))) {
      await this.socket.sendInTime(text, signal);
    }
  }

  /** The last events are kept, because those of an answer that broke off tell less than its error. */
  end(bytes: Uint8Array): void {
    this.last.push(...this.deltas(this.events.cut(bytes)), ...this.deltas(this.events.rest()));
  }

  /** Nothing follows. */
  destroy(): void {
    this.last.splice(0);
  }

  /** Sends the last events of an answer that is complete. */
  complete(): void {
    this.last.splice(0).forEach((text) => this.socket.send(text));
  }

  private *deltas(events: Iterable<ServerSentEvent>): Generator<string> {
    for (const { type, data, content } of events) {
      if (content.kind === 'chunk' || content.kind === 'error') {
        const event = type === '' ? '' : `"event":${JSON.stringify(type)},`;
        // The data is what the upstream sent, byte for byte, so it is not written anew.
        yield `{"type":"delta","id":${JSON.stringify(this.id)},${event}"data":${data}}`;
      }
    }
  }
}
