export type OutboundFaultReason = 'refused' | 'timeout' | 'unreachable';

/**
 * The message is public and names no addresses, of which some are inner ones; the cause is for the log.
 * - `refused`: an address that the service does not call
 * - `timeout`: no whole answer in time
 * - `unreachable`: no connection, no valid certificate, or no HTTP
 */
export class OutboundFault extends Error {
  constructor(
    readonly reason: OutboundFaultReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'OutboundFault';
  }
}

export class DeadlineOver extends OutboundFault {
  constructor(timeoutMs: number) {
    super('timeout', `There was no whole answer within ${timeoutMs / 1000} seconds.`);
  }
}

const CERTIFICATE_UNKNOWN = 'The certificate of the receiver was not issued by a known authority.';
const NAME_UNKNOWN = 'The name of the host was not found.';
export const BROKEN = 'The connection broke before there was a whole answer.';

const MESSAGES: Record<string, string> = {
  ENOTFOUND: NAME_UNKNOWN,
  ENODATA: NAME_UNKNOWN,
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: BROKEN,
  EPIPE: BROKEN,
  UND_ERR_SOCKET: BROKEN,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: BROKEN,
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too long.',
  HTTPParserError: 'The answer is not HTTP/1.1.',
  CERT_HAS_EXPIRED: 'The certificate of the receiver has expired.',
  CERT_NOT_YET_VALID: 'The certificate of the receiver is not valid yet.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the receiver is for another name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE_UNKNOWN,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE_UNKNOWN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE_UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT: CERTIFICATE_UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE_UNKNOWN,
};

export function outboundFaultOf(error: unknown): OutboundFault {
  if (error instanceof OutboundFault) {
    return error;
  }
  const message = MESSAGES[(error as { code?: string }).code ?? ''] ?? MESSAGES[(error as Error).name];
  return new OutboundFault('unreachable', message ?? 'The receiver could not be reached.', { cause: error });
}
