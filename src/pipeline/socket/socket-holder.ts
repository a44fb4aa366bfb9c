import type { ApiError } from '../../core/errors/api-error';
import type { ClientSocket } from '../../infrastructure/sockets/client-socket';
import type { Principal } from '../call-transport';

/** Who opened a socket. */
export interface SocketHolder {
  readonly accountId: string;
  /** In whose name calls are made. */
  readonly principal: Principal;
  /** Judges the credential anew that the socket was opened with; null where it is still good. */
  readonly judge: () => Promise<ApiError | null>;
}

export type OpenSocket = ClientSocket<SocketHolder>;
