import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperationPolicy } from '../../contract/operation';
import { looksLikeKey } from '../../core/access/access-keys/key-secret';
import { MissingApiKey, MissingSocketCredential } from '../../core/access/authentication-errors';
import { ApiError } from '../../core/errors/api-error';
import { ValidationFailed } from '../../core/errors/request-errors';
import { Clock } from '../../infrastructure/clock/clock';
import type { PresentedSecrets } from '../call-transport';
import { Credentials } from '../credentials';
import { HttpTransport } from '../http/http-transport';
import { SharedBounds } from '../http/shared-bounds';
import { MeteredCall } from '../metered-call';
import { RateLimitStep } from '../step-1-rate-limit';
import { AuthenticationStep } from '../step-2-authentication';
import type { SocketHolder } from './socket-holder';

/**
 * Admits who asks for a socket: the request passes steps 1 and 2 as a free call of the class `read`. What is refused is
 * refused before the upgrade, with the answer that any call would get.
 */
@Injectable()
export class Handshakes {
  constructor(
    private readonly rateLimit: RateLimitStep,
    private readonly authentication: AuthenticationStep,
    private readonly credentials: Credentials,
    private readonly clock: Clock,
    private readonly bounds: SharedBounds,
  ) {}

  /** @throws ApiError for who is not admitted */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<SocketHolder> {
    const token = tokenOf(request);
    const transport = new HandshakeTransport(request, reply, 101, this.bounds, token);
    const { caller } = transport;
    const auth = authOf(caller);
    const call = new MeteredCall(
      { ...HANDSHAKE, path: request.routeOptions.url ?? '', auth },
      transport,
      this.clock.now(),
    );
    try {
      await this.rateLimit.run(call);
      this.authentication.run(call);
    } catch (error) {
      await call.fail(error instanceof ApiError ? error.status : 500, () => undefined);
      throw error instanceof MissingApiKey ? new MissingSocketCredential() : error;
    }
    call.succeed();
    const { accountId, key } = call;
    return {
      accountId,
      principal: key ? { kind: 'key', keyId: key.id } : { kind: 'account', accountId },
      judge: async () => {
        const credential = await this.credentials.again(caller, auth);
        return credential.kind === 'refused' ? credential.error : null;
      },
    };
  }
}

const HANDSHAKE: Omit<OperationPolicy, 'auth' | 'path'> = {
  operationId: 'openSocket',
  tag: 'sockets',
  method: 'GET',
  status: 101,
  role: null,
  rate: 'read',
  price: null,
  model: null,
  idempotent: false,
  envelope: false,
  bodyBytesMax: null,
  mediaTypes: [],
};

/** A browser can set no headers of a WebSocket, so the credential may stand in the query too; there it counts first. */
class HandshakeTransport extends HttpTransport {
  constructor(
    ...[request, reply, status, bounds, token]: [
      ...ConstructorParameters<typeof HttpTransport>,
      token: string | null,
    ]
  ) {
    super(request, reply, status, bounds);
    this.token = token;
  }

  private readonly token: string | null;

  override get caller(): PresentedSecrets {
    if (this.token === null) {
      return super.caller;
    }
    const isKey = looksLikeKey(this.token);
    return { kind: 'secrets', apiKey: isKey ? this.token : null, bearer: isKey ? null : this.token };
  }
}

/** @throws ValidationFailed for a token that is given twice */
function tokenOf({ query }: FastifyRequest): string | null {
  const { token } = query as { token?: string | string[] };
  if (Array.isArray(token)) {
    throw new ValidationFailed([{ field: 'token', message: 'is given more than once' }]);
  }
  return token === undefined || token === '' ? null : token;
}

/** Which kind of credential is shown. Who shows none is told that an access key is missing. */
function authOf({ apiKey, bearer }: PresentedSecrets): 'key' | 'jwt' {
  return apiKey !== null || bearer === null || looksLikeKey(bearer) ? 'key' : 'jwt';
}
