import { type ArgumentsHost, Catch, type ExceptionFilter, Injectable, Logger } from '@nestjs/common';
import { type ApiError, errorText } from '../../errors/api-errors';
import type { ClientSocket } from '../../http/sockets/client-socket';
import { Clock } from '../../runtime/clock';
import { newId } from '../../runtime/ids';
import { isObject } from '../../runtime/json';
import type { Principal } from '../call-transport';
import { knownError, unexpectedError } from '../known-error';

export interface SocketHolder {
  readonly accountId: string;
  readonly principal: Principal;
  /** Judges the credential anew that the socket was opened with; null where it is still good. */
  readonly judge: () => Promise<ApiError | null>;
}

export type OpenSocket = ClientSocket<SocketHolder>;

interface ErrorContext {
  requestId?: string;
  fields?: object;
}

/** Tells a client why its message failed. What nobody expected goes to the log; the client is told nothing of its cause. */
@Catch()
@Injectable()
export class SocketErrors implements ExceptionFilter {
  private readonly logger = new Logger('Sockets');

  constructor(private readonly clock: Clock) {}

  tell(
    socket: OpenSocket,
    message: unknown,
    thrown: unknown,
    { requestId = newId(), fields }: ErrorContext = {},
  ): void {
    const known = knownError(thrown);
    if (!known || known.status === 500) {
      this.logger.error({ message: 'unexpected error', request_id: requestId, error: errorText(thrown) });
    }
    const { status, error, message: text, options } = known ?? unexpectedError();
    socket.send(
      JSON.stringify({
        type: 'error',
        id: textMember(message, 'id', 64),
        ...roomOf(message),
        status,
        error,
        message: text,
        request_id: requestId,
        timestamp: this.clock.now().toISOString(),
        ...retryAfter(options),
        ...options.fields,
        ...fields,
      }),
    );
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const context = host.switchToWs();
    this.tell(context.getClient<OpenSocket>(), context.getData(), thrown);
  }
}

function roomOf(message: unknown): object {
  const room = textMember(message, 'room', 128);
  return room === null ? {} : { room };
}

function textMember(message: unknown, name: string, lengthMax: number): string | null {
  const value = isObject(message) ? message[name] : undefined;
  return typeof value === 'string' && value !== '' && value.length <= lengthMax ? value : null;
}

function retryAfter({ headers }: ApiError['options']): object {
  const seconds = Number(headers?.['Retry-After']);
  return Number.isFinite(seconds) ? { retry_after: seconds } : {};
}
