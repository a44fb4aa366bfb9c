import type { RateClass } from '../core/access/rate-limits/rate-class';
import type { FormFields } from '../infrastructure/http/forms/form-bodies';
import type { AccountPrincipal, CallContext, KeyPrincipal, Meter, PresentedToken } from './call';

export type { RateClass };

export type ModelOperation = 'chat' | 'complete' | 'embed' | 'respond';

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
