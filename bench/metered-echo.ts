import { Module } from '@nestjs/common';
import { schemas } from '../generated/schemas';
import {
  type AccountPrincipal,
  type ApiTable,
  type CallContext,
  type KeyPrincipal,
  type Meter,
  Serves,
} from '../src/contract/operation';
import { echo, type Echo } from './echo';

/** The path of the metered echo. */
export const ECHO_PATH = '/api/bench/echo';

interface EchoCall extends CallContext {
  params: Record<string, never>;
  query: undefined;
  body: Omit<Echo, 'id'>;
  account: AccountPrincipal;
  key: KeyPrincipal;
  meter: Meter;
}

interface BenchApi {
  benchEcho: (call: EchoCall) => Promise<Echo>;
}

/** What the generator would write had the document an operation for the benchmark. */
const benchApi: ApiTable<BenchApi> = {
  tag: 'bench',
  operations: {
    benchEcho: {
      operationId: 'benchEcho',
      tag: 'bench',
      method: 'POST',
      path: ECHO_PATH,
      status: 201,
      auth: 'key',
      role: null,
      rate: 'write',
      price: 'memory_operation',
      model: null,
      idempotent: false,
      envelope: true,
      bodyBytesMax: 1024 * 1024,
      mediaTypes: ['application/json'],
    },
  },
};

const FIELDS = {
  content: { type: 'string', minLength: 1, maxLength: 10_000 },
  kind: { type: 'string', enum: ['note', 'fact', 'event'] },
  tags: { type: 'array', maxItems: 20, items: { type: 'string', minLength: 1, maxLength: 50 } },
  importance: { type: 'integer', minimum: 1, maximum: 5 },
};

const ANSWER = {
  type: 'object',
  required: ['data', 'metadata'],
  properties: {
    data: {
      type: 'object',
      required: ['id', ...Object.keys(FIELDS)],
      properties: { id: { type: 'string', format: 'uuid' }, ...FIELDS },
    },
    metadata: {
      type: 'object',
      required: ['request_id', 'timestamp', 'cost'],
      properties: {
        request_id: { type: 'string' },
        timestamp: { type: 'string', format: 'date-time' },
        cost: { type: 'number' },
      },
    },
  },
};

// This has to come before the controller below, because @Serves reads the schemas of its operations.
schemas.benchEcho = {
  body: { type: 'object', additionalProperties: false, required: Object.keys(FIELDS), properties: FIELDS },
  bodyRequired: true,
  query: null,
  headers: null,
  responses: { '201': ANSWER },
};

@Serves(benchApi)
class MeteredEchoController implements BenchApi {
  benchEcho({ body }: EchoCall): Promise<Echo> {
    return Promise.resolve(echo(body));
  }
}

/** The echo as one more operation of the real service, behind its whole pipeline. */
@Module({ controllers: [MeteredEchoController] })
export class MeteredEchoModule {}
