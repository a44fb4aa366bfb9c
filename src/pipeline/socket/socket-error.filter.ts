import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import { SocketErrors } from './socket-errors';
import type { OpenSocket } from './socket-holder';

/** Answers a message whose handler threw. */
@Catch()
export class SocketErrorFilter implements ExceptionFilter {
  constructor(private readonly errors: SocketErrors) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const context = host.switchToWs();
    this.errors.tell(context.getClient<OpenSocket>(), context.getData(), thrown);
  }
}
