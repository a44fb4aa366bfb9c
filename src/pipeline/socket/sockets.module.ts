import { Module } from '@nestjs/common';
import { RoomVisitsModule } from '../../core/realtime/room-visits.module';
import { SocketMetrics } from '../../infrastructure/sockets/socket-metrics';
import { PipelineModule } from '../pipeline.module';
import { AccountRates } from './account-rates';
import { CollaborateGateway } from './collaborate.gateway';
import { Handshakes } from './handshakes';
import { IncomingFrames } from './incoming-frames';
import { OpenSockets } from './open-sockets';
import { SocketErrorFilter } from './socket-error.filter';
import { SocketErrors } from './socket-errors';
import { SocketRoutes } from './socket-routes';
import { StreamCalls } from './stream-calls';
import { StreamGateway } from './stream.gateway';

/** The WebSockets of the service. A process without HTTP has none. */
@Module({
  imports: [PipelineModule, RoomVisitsModule],
  providers: [
    AccountRates,
    CollaborateGateway,
    Handshakes,
    IncomingFrames,
    OpenSockets,
    SocketErrorFilter,
    SocketErrors,
    SocketMetrics,
    SocketRoutes,
    StreamCalls,
    StreamGateway,
  ],
})
export class SocketsModule {}
