import type { ModuleMetadata } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { DataSource } from 'typeorm';
import { apis } from '../../../generated/contract';
import type { operations } from '../../../generated/types';
import { createApplication, type ApplicationOptions } from '../../../src/application';
import { Configuration } from '../../../src/config/configuration';
import type { OperationPolicy } from '../../../src/contract/operation';
import { AccountDatabases } from '../../../src/database/account-databases';
import { DatabaseUrl } from '../../../src/database/connection-pool';
import { ProcessRegister } from '../../../src/database/process-register';
import type { PaymentChain } from '../../../src/modules/billing/payment-chain';
import { ManualClock } from '../../../src/runtime/clock';
import { until } from '../until';
import { expectDeclaredHeaders } from './declared-headers';
import { expectDocumented } from './document-check';
import { hangUp, sendCall, type Answer } from './sent-call';
import { createTestDatabase, type TestDatabase } from './test-database';

export type OperationId = keyof operations;

export interface ApiRequest {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
  /** The access key or account token to show; the operation decides in which header it goes. */
  credential?: string;
  ip?: string;
}

type JsonContent<Response> = Response extends { content: { 'application/json': infer Body } }
  ? Body
  : undefined;
type Success<Responses> = [keyof Responses & (200 | 201)] extends [never]
  ? unknown
  : JsonContent<Responses[keyof Responses & (200 | 201)]>;

/** Members of error bodies; expectDocumented() has seen to it that those of the answer's status are there. */
interface ErrorMembers {
  error: string;
  message: string;
  request_id: string;
  details: { field: string; message: string }[];
  required: number;
  available: number;
  limit_type: string;
  limit: number;
  spent: number;
  resets_at: string | null;
  affordable_max_tokens: number;
  affordable_max_input_tokens: number;
  retry_after: number;
  window: string;
}

export interface ApiAnswer<Id extends OperationId = OperationId> {
  status: number;
  headers: Record<string, string>;
  /** Of an operation named only at run time no more than the error's members is known. */
  body: OperationId extends Id ? ErrorMembers : Success<operations[Id]['responses']> & ErrorMembers;
  /** The body as it was sent. */
  text: string;
}

type Extensions = Pick<ApplicationOptions, 'extraModules' | 'chains' | 'consoleFolder'>;

/** A whole service of its own: real application, real Postgres, a clock that the test moves. */
export class TestService {
  private constructor(
    readonly app: NestFastifyApplication,
    readonly clock: ManualClock,
    readonly database: DataSource,
    readonly databaseUrl: string,
    private readonly environment: Record<string, string>,
    private readonly extensions: Extensions,
    private readonly dropDatabase: () => Promise<void>,
    /** Where calls go; null for this application itself. */
    private readonly url: string | null = null,
  ) {}

  /**
   * On a database of its own, unless one is given that is migrated already.
   * @param extraModules what a team that extends the service would bring
   * @param chains in the place of those that the environment names
   */
  static async start(
    environment: Record<string, string> = {},
    database?: TestDatabase,
    extraModules: ModuleMetadata['imports'] = [],
    chains?: readonly PaymentChain[],
    consoleFolder?: string,
  ): Promise<TestService> {
    const { url, drop } = database ?? (await createTestDatabase());
    const clock = new ManualClock();
    const extensions = { extraModules, chains, consoleFolder };
    const app = await startApplication(url, clock, environment, extensions);
    return new TestService(
      app,
      clock,
      app.get(AccountDatabases).everyone,
      url,
      environment,
      extensions,
      drop,
    );
  }

  /** A second application on the same database and clock; what one knows in its memory the other does not. */
  async startReplica(): Promise<TestService> {
    const { clock, databaseUrl, environment, extensions } = this;
    const app = await startApplication(databaseUrl, clock, environment, extensions);
    const keep = () => Promise.resolve();
    return new TestService(
      app,
      clock,
      app.get(AccountDatabases).everyone,
      databaseUrl,
      environment,
      extensions,
      keep,
    );
  }

  /**
   * The same application to look at the database with, while calls go to other processes at this address that work on the
   * same database.
   */
  through(url: string): TestService {
    const { app, clock, database, databaseUrl, environment, extensions, dropDatabase } = this;
    return new TestService(app, clock, database, databaseUrl, environment, extensions, dropDatabase, url);
  }

  /** The same service, looked at over other connections to its database: those of its own end a statement after seconds. */
  over(database: DataSource): TestService {
    const { app, clock, databaseUrl, environment, extensions, dropDatabase, url } = this;
    return new TestService(app, clock, database, databaseUrl, environment, extensions, dropDatabase, url);
  }

  async stop(): Promise<void> {
    await hangUp();
    await this.app.close();
    await this.dropDatabase();
  }

  /** Calls an operation. The answer is held to the document: an undeclared status or field throws. */
  async call<Id extends OperationId>(operationId: Id, request: ApiRequest = {}): Promise<ApiAnswer<Id>> {
    const policy = policyOf(operationId);
    const response = await this.send(policy, request);
    const text = response.body;
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    const sent = (isJson ? JSON.parse(text) : undefined) as ApiAnswer<Id>['body'];
    expectDocumented(operationId, response.statusCode, sent);
    const body = response.statusCode >= 400 ? inOneForm(sent) : sent;
    expectDeclaredHeaders(operationId, response.statusCode, response.headers);
    expect(response.headers['x-api-version']).toBe('1.0');
    return { status: response.statusCode, headers: response.headers as Record<string, string>, body, text };
  }

  private async send(policy: OperationPolicy, request: ApiRequest): Promise<Answer> {
    const url = urlOf(policy, request.params ?? {});
    const query = Object.fromEntries(
      Object.entries(request.query ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const headers = { ...credentialHeader(policy, request.credential), ...request.headers };
    const { body, ip } = request;
    return this.url === null
      ? this.app.inject({
          method: policy.method,
          url,
          query,
          remoteAddress: ip,
          headers,
          payload: body as object | undefined,
        })
      : sendCall({ policy, url: this.url + url, query, headers, body, ip });
  }

  /** The controller that serves an operation. */
  controllerOf(operationId: OperationId): Record<string, unknown> {
    const found = this.app
      .get(DiscoveryService, { strict: false })
      .getControllers()
      .map(({ instance }) => instance as Record<string, unknown> | undefined)
      .find((instance) => typeof instance?.[operationId] === 'function');
    if (!found) {
      throw new Error(`no controller serves ${operationId}`);
    }
    return found;
  }
}

/** The errors of Anthropic's Messages API with the members that other operations' errors have, so that one test holds for all. */
function inOneForm<Body>(body: Body): Body {
  const { type, error, ...others } = body as { type?: unknown; error: { name: string } };
  return type === 'error' ? ({ ...others, ...error, error: error.name } as Body) : body;
}

async function startApplication(
  databaseUrl: string,
  clock: ManualClock,
  environment: Record<string, string>,
  extensions: Extensions,
): Promise<NestFastifyApplication> {
  const jwtSecret = 'a secret for tests that nobody else has: 0123456789';
  const { TEST_POOLER_URL: poolerUrl } = process.env;
  const pooled = poolerUrl && {
    DATABASE_URL: throughPooler(poolerUrl, databaseUrl),
    DATABASE_SESSION_URL: databaseUrl,
  };
  const variables = {
    DATABASE_URL: databaseUrl,
    JWT_SECRET: jwtSecret,
    LOG_LEVEL: 'fatal',
    ACCOUNT_SCHEMAS: process.env.TEST_ACCOUNT_SCHEMAS ?? '1',
    // Most tests ask for whichever model there is.
    STRICT_MODELS: 'false',
    ...pooled,
    ...environment,
  };
  const configuration = Configuration.read(variables);
  const app = await createApplication({
    configuration,
    databaseUrl: new DatabaseUrl(configuration.databaseUrl ?? databaseUrl, configuration.databaseSessionUrl),
    jwtSecret,
    clock,
    ...extensions,
  });
  try {
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
    // On a busy machine the connection for that may fail at first, and is made again a second later.
    await until('the service hears of changed keys', () => app.get(ProcessRegister).isHeard);
  } catch (error) {
    // What it opened before it refused to start would keep the test's process alive.
    await app.close();
    throw error;
  }
  return app;
}

function throughPooler(poolerUrl: string, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.host = new URL(poolerUrl).host;
  return url.href;
}

export function policyOf(operationId: OperationId): OperationPolicy {
  const policies = apis.flatMap((api) => Object.values<OperationPolicy>(api.operations));
  const policy = policies.find((candidate) => candidate.operationId === operationId);
  if (!policy) {
    throw new Error(`the document has no operation ${operationId}`);
  }
  return policy;
}

function urlOf(policy: OperationPolicy, params: Record<string, string>): string {
  return policy.path.replaceAll(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? `no-${name}`),
  );
}

function credentialHeader(policy: OperationPolicy, credential: string | undefined): Record<string, string> {
  if (credential === undefined) {
    return {};
  }
  return policy.auth === 'key' ? { 'x-api-key': credential } : { authorization: `Bearer ${credential}` };
}
