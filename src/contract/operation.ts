import type { AccountPrincipal } from '../accounts/accounts';
import type { KeyPrincipal } from '../accounts/credentials';
import type { RateClass } from '../accounts/rate-tiers';
import type { FormFields } from '../http/form-bodies';
import type { UploadedFile } from '../http/uploaded-files';
import type { Meter } from '../ledger/meter';
import type { Engine } from '../models/model-provider';

export type { AccountPrincipal, KeyPrincipal, Meter, UploadedFile };

/** The account token that a call was made with. */
export interface PresentedToken {
  jti: string;
  /** The account's token version under which the token was issued; a password change raises the account's. */
  ver: number;
  /** When the token expires, in Unix seconds. */
  exp: number;
}

/** What every operation may know about the call beside its input. */
export interface CallContext {
  requestId: string;
  /** The IP address that the call came from; empty for a call from within the service. */
  callerAddress: string;
  /** Aborted when the work is to stop: its time is over, its caller has gone away, or the service shuts down. */
  signal: AbortSignal;
  /** The headers of the request that the document names for the operation, by their names in lower case. */
  requestHeaders: Readonly<Record<string, string | undefined>>;
  /** The file of the form; null where the operation takes none. It is gone when the call has ended. */
  file: UploadedFile | null;
  /** The same for every retry with one Idempotency-Key; null without that header. */
  idempotencyId: string | null;
  /** What the operation's estimator left for the handler, which reads it with `planOf`; null where it left nothing. */
  plan: object | null;
  /** Puts a header into the answer, should the call succeed. */
  setHeader(name: string, value: string): void;
  /** Makes this JSON text the answer, byte for byte, in place of what the handler returns. */
  passOn(text: string): void;
  /** Says what produced the answer, which the envelope's metadata then name. */
  setEngine(engine: Engine): void;
  /** Adds what a call that this one made was charged to the cost that the envelope's metadata tell. */
  includeCost(nanoUsd: bigint): void;
}

/** An answer of bytes, which are sent as they come. Of an operation that is free, because nothing is settled at its end. */
export class BinaryAnswer {
  /**
   * @param head its status, which may be another than that of the operation's success, and its headers
   * @param bytes begins to read them. The first piece is read before the head leaves, and what it throws is the answer
   */
  constructor(
    readonly head: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
    readonly bytes: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
  ) {}
}

export type { RateClass };

type ModelOperation = 'chat' | 'complete' | 'embed' | 'respond';

/** A price of the document. Amounts are decimal strings in USD. */
export interface PriceDefinition {
  title: string;
  base: string;
  perToken: string | null;
  counts: 'input' | 'input_and_output' | null;
}

/** What the document says about how an operation is served. */
export interface OperationPolicy {
  operationId: string;
  tag: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  /** The route in Fastify's form, `/api/keys/:key_id`. */
  path: string;
  status: number;
  auth: 'none' | 'jwt' | 'key';
  /** The role that the account must have, null for any. */
  role: 'admin' | null;
  rate: RateClass;
  /** The name of the price that a call of it costs, null where it is free. */
  price: string | null;
  /** The operation of the models that answers it, null where no model does. */
  model: ModelOperation | null;
  idempotent: boolean;
  /** Whether the answer is `{data, metadata}`. */
  envelope: boolean;
  /** How many bytes the request's body may have, null where the operation takes no body. */
  bodyBytesMax: number | null;
  /** The media types that the request's body may have; empty where the operation takes no body. */
  mediaTypes: readonly string[];
  /** Which fields of the form are not plain text; absent where the body is no form. */
  form?: FormFields;
  /** Whether it answers with server-sent events where the body asks for a stream; absent where it never does. */
  streams?: true;
  /**
   * The media type of the success answer where that is a text other than JSON, which the method returns as a string; a media range where it
   * is bytes, which the method returns as a BinaryAnswer.
   */
  answerType?: string;
}

/** The policies of one tag. `Api` is the interface of its operations, to which @Serves holds the controller. */
export interface ApiTable<Api> {
  tag: string;
  operations: { [Id in keyof Api]: OperationPolicy };
}

/** The JSON Schemas of one operation. They refer to named schemas as `contract#/$defs/Name`. */
export interface OperationSchemas {
  body: object | null;
  bodyRequired: boolean;
  query: object | null;
  headers: object | null;
  /** By status code or `default`; null where the answer has no JSON body. */
  responses: Record<string, object | null>;
}

interface Documented {
  parameters: { path?: unknown };
  requestBody?: unknown;
}

/** The body as the handler gets it. That of a form is its parsed fields. */
type BodyOf<Body> = Body extends { content: { 'application/json': infer Content } }
  ? Content
  : Body extends { content: { 'multipart/form-data': infer Fields } }
    ? Fields
    : never;

interface Input<Operation extends Documented, Query> {
  params: Operation['parameters']['path'];
  query: Query;
  body: BodyOf<NonNullable<Operation['requestBody']>>;
}

type Metered<Priced extends boolean> = Priced extends true ? { meter: Meter } : object;

/** A call that needs no credential. */
export type OpenCall<Operation extends Documented, Query, Priced extends boolean> = Input<Operation, Query> &
  CallContext &
  Metered<Priced>;

/** A call made with an account token. */
export type AccountCall<Operation extends Documented, Query, Priced extends boolean> = OpenCall<
  Operation,
  Query,
  Priced
> & { account: AccountPrincipal; token: PresentedToken };

/** A call made with an access key. */
export type KeyCall<Operation extends Documented, Query, Priced extends boolean> = OpenCall<
  Operation,
  Query,
  Priced
> & {
  account: AccountPrincipal;
  key: KeyPrincipal;
};

const TIMEOUTS_MS: Record<RateClass, number> = {
  health: 5_000,
  read: 10_000,
  write: 10_000,
  llm: 120_000,
  heavy: 120_000,
};

/** How long an operation of this class may take before it is answered with 504 and costs nothing. */
export function operationTimeoutMs(rate: RateClass): number {
  return TIMEOUTS_MS[rate];
}

/** How long a stream may go on once its handler has returned it. The handler itself has the time of its class. */
export const STREAM_TIMEOUT_MS = 600_000;

/**
 * How long a reservation lives, in milliseconds: twice what the call may take, so that no call still running is ever
 * swept.
 * @param isStreamed whether the call asks for a stream
 */
export function leaseMs(rate: RateClass, isStreamed: boolean): number {
  return 2 * (operationTimeoutMs(rate) + (isStreamed ? STREAM_TIMEOUT_MS : 0));
}
