import {
  Body,
  CallHandler,
  CanActivate,
  Catch,
  ConflictException,
  Controller,
  ExecutionContext,
  Get,
  HttpCode,
  HttpException,
  Injectable,
  Module,
  NestInterceptor,
  NotFoundException,
  Param,
  ParseIntPipe,
  PipeTransform,
  Post,
  ServiceUnavailableException,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { IsInt, IsString, MinLength } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, of, type Observable } from 'rxjs';
import { DataSource } from 'typeorm';
import { schemas } from '../../generated/schemas';
import type { CallContext } from '../../src/contract/call';
import type { ApiTable } from '../../src/contract/operation';
import { Serves } from '../../src/contract/serves.decorator';
import { newId } from '../../src/infrastructure/ids/new-id';
import { UnchargedCalls } from '../../src/pipeline/uncharged-calls';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { faultsInBooks } from '../support/ledger/books';

/** What a request may ask of the module below, by its `ask` field or header. */
type Ask =
  | 'nothing'
  | 'guard'
  | 'app guard'
  | 'pipe'
  | 'interceptor'
  | 'filter'
  | 'conflict'
  | 'teapot'
  | 'busy'
  | 'not found'
  | 'texts'
  | 'fault'
  | 'observable';

/** How many reservations stand while each part of the module runs. */
const seen: Record<string, number> = {};

@Injectable()
class Watch {
  constructor(private readonly database: DataSource) {}

  async note(part: string): Promise<void> {
    const [row]: { count: string }[] = await this.database.query('SELECT count(*) FROM reservations');
    seen[part] = Number(row?.count);
  }
}

class OutOfStock extends Error {}

@Catch(OutOfStock)
class OutOfStockFilter implements ExceptionFilter {
  catch(_: OutOfStock, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    void reply.status(409).send({ error: 'Out of stock', message: 'There is none left.', sku: 7 });
  }
}

@Injectable()
class AskingGuard implements CanActivate {
  constructor(private readonly watch: Watch) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.watch.note('guard');
    return askOf(context) !== 'guard';
  }
}

@Injectable()
class AskingAppGuard implements CanActivate {
  constructor(private readonly watch: Watch) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.watch.note('app guard');
    return askOf(context) !== 'app guard';
  }
}

@Injectable()
class AskingInterceptor implements NestInterceptor {
  constructor(private readonly watch: Watch) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    await this.watch.note('interceptor');
    if (askOf(context) === 'interceptor') {
      throw new ConflictException('The interceptor objects.');
    }
    return next.handle().pipe(map((answer: object) => ({ ...answer, intercepted: true })));
  }
}

@Injectable()
class AskingAppInterceptor implements NestInterceptor {
  constructor(private readonly watch: Watch) {}

  async intercept(_: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    await this.watch.note('app interceptor');
    return next.handle();
  }
}

@Injectable()
class AskingPipe implements PipeTransform {
  constructor(private readonly watch: Watch) {}

  async transform(value: { body?: { ask?: Ask }; ask?: Ask }): Promise<unknown> {
    await this.watch.note('pipe');
    if ((value.body?.ask ?? value.ask) === 'pipe') {
      throw new HttpException({ error: 'Piped', message: 'The pipe objects.' }, 422);
    }
    return value;
  }
}

interface GreetCall extends CallContext {
  body: { ask: Ask };
}

interface GreetingsApi {
  greet: (call: GreetCall) => Promise<object>;
}

const greetingsApi: ApiTable<GreetingsApi> = {
  tag: 'greetings',
  operations: {
    greet: {
      operationId: 'greet',
      tag: 'greetings',
      method: 'POST',
      path: '/api/greetings',
      status: 201,
      auth: 'key',
      role: null,
      rate: 'write',
      price: 'memory_operation',
      idempotent: true,
      envelope: true,
    },
  },
};

const ASK = {
  type: 'object',
  additionalProperties: false,
  required: ['ask'],
  properties: { ask: { type: 'string' } },
};

schemas.greet = {
  body: ASK,
  bodyRequired: true,
  query: null,
  headers: null,
  responses: {
    '201': {
      type: 'object',
      properties: {
        data: { type: 'object', properties: { hello: { type: 'string' }, intercepted: { type: 'boolean' } } },
        metadata: { type: 'object', properties: { cost: { type: 'number' } } },
      },
    },
  },
};

/** What both kinds of controllers do. */
function answer(ask: Ask): object | Observable<object> {
  const hello = { hello: 'world', undeclared: true };
  switch (ask) {
    case 'filter':
      throw new OutOfStock();
    case 'conflict':
      throw new ConflictException('Taken already.');
    case 'teapot':
      throw new HttpException('Short and stout.', 418);
    case 'busy':
      throw new ServiceUnavailableException();
    case 'not found':
      throw new NotFoundException('No such greeting.');
    case 'texts':
      throw new HttpException({ message: ['hello must be longer', 'there'] }, 400);
    case 'fault':
      throw new Error('a secret detail');
    case 'observable':
      return of(hello);
    default:
      return hello;
  }
}

@UseGuards(AskingGuard)
@UseInterceptors(AskingInterceptor)
@UsePipes(AskingPipe)
@UseFilters(OutOfStockFilter)
@Serves(greetingsApi)
class GreetingsController implements GreetingsApi {
  greet({ body }: GreetCall): Promise<object> {
    return new Promise((resolve) => resolve(answer(body.ask)));
  }
}

class GreetingInput {
  @IsString()
  @MinLength(3)
  name = '';

  @IsInt()
  age = 0;
}

@UseGuards(AskingGuard)
@UseInterceptors(AskingInterceptor)
@UseFilters(OutOfStockFilter)
@Controller('own')
class OwnController {
  @Post('greetings')
  @HttpCode(201)
  @UsePipes(AskingPipe)
  greet(@Body() { ask }: { ask: Ask }): object {
    return answer(ask);
  }

  @Post('validated')
  validated(@Body(new ValidationPipe()) input: GreetingInput): object {
    return input;
  }

  @Get('numbers/:number')
  number(@Param('number', ParseIntPipe) number: number): object {
    return { number };
  }
}

@Module({
  controllers: [GreetingsController, OwnController],
  providers: [
    Watch,
    { provide: APP_GUARD, useClass: AskingAppGuard },
    { provide: APP_INTERCEPTOR, useClass: AskingAppInterceptor },
  ],
})
class GreetingsModule {}

function askOf(context: ExecutionContext): Ask | undefined {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return (request.body as { ask?: Ask } | undefined)?.ask ?? (request.headers['x-ask'] as Ask | undefined);
}

const PRICE_NANO_USD = 100_000n;

describe('a module of somebody who extends the service', () => {
  let service: TestService;
  let world: World;

  beforeAll(async () => {
    service = await TestService.start({}, undefined, [GreetingsModule]);
  });

  beforeEach(async () => {
    world = await World.create(service);
    Object.keys(seen).forEach((part) => delete seen[part]);
  });

  afterAll(async () => {
    expect(await faultsInBooks(service.database)).toEqual([]);
    await service.stop();
  });

  const REFUSED: [Ask, number, object][] = [
    ['guard', 403, { error: 'Access denied', message: 'Forbidden resource' }],
    ['app guard', 403, { error: 'Access denied', message: 'Forbidden resource' }],
    ['pipe', 422, { error: 'Piped', message: 'The pipe objects.' }],
    ['interceptor', 409, { error: 'Conflict', message: 'The interceptor objects.' }],
    ['filter', 409, { error: 'Out of stock', message: 'There is none left.', sku: 7 }],
    ['conflict', 409, { error: 'Conflict', message: 'Taken already.' }],
    ['teapot', 418, { message: 'Short and stout.' }],
    ['busy', 503, { error: 'Service Unavailable' }],
    ['not found', 404, { error: 'Not Found', message: 'No such greeting.' }],
    [
      'texts',
      400,
      {
        error: 'Validation error',
        details: [
          { field: 'hello', message: 'must be longer' },
          { field: 'body', message: 'there' },
        ],
      },
    ],
    ['fault', 500, { error: 'Internal Server Error', message: 'Something went wrong on our side.' }],
  ];

  describe('on an operation', () => {
    it.each(REFUSED)(
      'refuses by its %s with the error body of the reference, free of charge',
      async (ask, status, body) => {
        const told = await greet('/api/greetings', ask, world.owner.key);
        expect([told.status, told.body]).toEqual([status, expect.objectContaining(body)]);
        expectErrorBody(told);
        expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
        expect(await receipts()).toEqual([
          { status, charged_nano: '0', outcome: expect.stringMatching(/refused|released/) },
        ]);
        expect(await openReservations()).toBe(0);
      },
    );

    it('asks guards before anything is reserved, and interceptors and pipes after it', async () => {
      const told = await greet('/api/greetings', 'nothing', world.owner.key);
      expect(told.status).toBe(201);
      expect(seen).toEqual({ 'app guard': 0, guard: 0, 'app interceptor': 1, interceptor: 1, pipe: 1 });
    });

    it.each(['nothing', 'observable'] as const)(
      'answers what its interceptors made of the answer, in the envelope and charged once (%s)',
      async (ask) => {
        const told = await greet('/api/greetings', ask, world.owner.key);
        expect(told.body).toEqual({
          data: { hello: 'world', intercepted: true },
          metadata: { cost: 0.0001 },
        });
        expect(told.headers['x-request-cost']).toBe('0.0001');
        expect(await world.balanceNanoUsd()).toBe(10_000_000_000n - PRICE_NANO_USD);
      },
    );

    it('keeps the order of refusals: without a key its guards are not asked', async () => {
      const told = await greet('/api/greetings', 'guard', 'svc_test_unknown');
      expect([told.status, told.body]).toMatchObject([401, { error: 'Invalid API key' }]);
      expect(seen).toEqual({});
    });

    it('frees the Idempotency-Key of a call that a guard or a filter refused', async () => {
      for (const ask of ['guard', 'filter'] as const) {
        const headers = { 'idempotency-key': newId() };
        expect((await greet('/api/greetings', ask, world.owner.key, headers)).status).toBeGreaterThan(400);
        const claims: unknown[] = await service.database.query(
          'SELECT FROM idempotency_claims WHERE account_id = $1',
          [world.owner.id],
        );
        expect(claims).toHaveLength(0);
      }
    });

    it('guards the operations of the document by its APP_GUARD, before anything is reserved', async () => {
      const body = { key: 'k', value: 'v' };
      // Not through callAs, which holds answers to the document: a refusal of another module is not in it.
      const refused = await service.app.inject({
        method: 'POST',
        url: '/api/hub/memory',
        headers: { 'x-api-key': world.owner.key, 'x-ask': 'app guard' },
        payload: body,
      });
      expect([refused.statusCode, refused.json()]).toMatchObject([403, { error: 'Access denied' }]);
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
      expect(seen['app guard']).toBe(0);
      expect((await callAs('createMemory', world, { body })).status).toBe(201);
    });
  });

  describe('on a route of its own', () => {
    it.each(REFUSED)('refuses by its %s with the error body of the reference', async (ask, status, body) => {
      const told = await greet('/own/greetings', ask);
      expect([told.status, told.body]).toEqual([status, expect.objectContaining(body)]);
      expectErrorBody(told);
    });

    it('passes its guards, interceptors and pipes, and costs nothing', async () => {
      const told = await greet('/own/greetings', 'nothing');
      expect([told.status, told.body]).toEqual([
        201,
        { hello: 'world', undeclared: true, intercepted: true },
      ]);
      expect(Object.keys(seen).sort()).toEqual([
        'app guard',
        'app interceptor',
        'guard',
        'interceptor',
        'pipe',
      ]);
    });

    it("names every fault that Nest's validation found", async () => {
      const response = await service.app.inject({
        method: 'POST',
        url: '/own/validated',
        payload: { name: 'x', age: 1 },
      });
      expect([response.statusCode, response.json()]).toEqual([
        400,
        expect.objectContaining({
          error: 'Validation error',
          details: [{ field: 'name', message: 'must be longer than or equal to 3 characters' }],
        }),
      ]);
    });

    it("tells what a pipe of Nest's refuses", async () => {
      const response = await service.app.inject({ method: 'GET', url: '/own/numbers/x' });
      expect([response.statusCode, response.json()]).toEqual([
        400,
        expect.objectContaining({
          error: 'Validation error',
          message: expect.stringContaining('numeric string'),
        }),
      ]);
    });
  });

  interface Told {
    status: number;
    headers: Record<string, unknown>;
    body: Record<string, unknown>;
  }

  async function greet(url: string, ask: Ask, key?: string, headers = {}): Promise<Told> {
    const response = await service.app.inject({
      method: 'POST',
      url,
      headers: { ...(key && { 'x-api-key': key }), ...headers },
      payload: { ask },
    });
    return { status: response.statusCode, headers: response.headers, body: response.json() };
  }

  function expectErrorBody({ headers, body }: Told): void {
    expect(body).toMatchObject({ error: expect.any(String), message: expect.any(String) });
    expect(body.request_id).toBe(headers['x-request-id']);
    expect(Date.parse(String(body.timestamp))).not.toBeNaN();
    expect(Object.keys(body)).not.toContain('statusCode');
    expect(JSON.stringify(body)).not.toContain('secret');
  }

  async function receipts(): Promise<unknown[]> {
    await service.app.get(UnchargedCalls).write();
    return service.database.query('SELECT status, outcome, charged_nano FROM calls WHERE account_id = $1', [
      world.owner.id,
    ]);
  }

  async function openReservations(): Promise<number> {
    const rows: unknown[] = await service.database.query('SELECT FROM reservations');
    return rows.length;
  }
});
