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
  InternalServerErrorException,
  MiddlewareConsumer,
  Module,
  NestInterceptor,
  NestModule,
  NotFoundException,
  Param,
  ParseIntPipe,
  Patch,
  PipeTransform,
  Post,
  RequestMethod,
  RequestTimeoutException,
  ServiceUnavailableException,
  UnauthorizedException,
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
import { catchError, map, of, tap, throwError, timeout, timer, type Observable } from 'rxjs';
import { AccountDatabases } from '../../../src/database/account-databases';
import { schemas } from '../../../generated/schemas';
import {
  type ApiTable,
  type CallContext,
  type OperationSchemas,
  Serves,
} from '../../../src/contract/operation';
import { Ledger } from '../../../src/ledger/ledger';

/** What a request asks of the module below, by its `ask` field or its `x-ask` header. */
export type Ask =
  | 'nothing'
  | 'guard'
  | 'app guard'
  | 'pipe'
  | 'interceptor'
  | 'filter'
  | 'conflict'
  | 'teapot'
  | 'large fields'
  | 'busy'
  | 'not found'
  | 'texts'
  | 'fault'
  | 'observable'
  | 'late observable'
  | 'too slow'
  | 'database fault'
  | 'nothing thrown'
  | 'no response'
  | 'circular'
  | 'success thrown'
  | 'bad header'
  | 'status'
  | 'own answer'
  | 'raw answer'
  | 'early answer';

/** How many reservations stood when each part of the module ran last. */
export const seen: Record<string, number> = {};

@Injectable()
class Watch {
  constructor(
    private readonly databases: AccountDatabases,
    private readonly ledger: Ledger,
  ) {}

  async note(part: string): Promise<void> {
    await this.ledger.show(null);
    const [row]: { count: string }[] = await this.databases.everyone.query(
      'SELECT count(*) FROM reservations',
    );
    seen[part] = Number(row?.count);
  }
}

class OutOfStock extends Error {}

@Catch(OutOfStock)
class OutOfStockFilter implements ExceptionFilter {
  catch(_: OutOfStock, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (askOf(host) === 'raw answer') {
      reply.hijack();
      reply.raw.writeHead(409).end('{"error":"Raw"}');
      return;
    }
    void reply.status(409).send({ error: 'Out of stock', message: 'There is none left.', sku: 7 });
  }
}

@Injectable()
class AskingGuard implements CanActivate {
  constructor(private readonly watch: Watch) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    await this.watch.note('guard');
    if (askOf(context) === 'early answer') {
      void context.switchToHttp().getResponse<FastifyReply>().status(403).send({ error: 'Early' });
    }
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
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    if (askOf(context) === 'too slow') {
      return next.handle().pipe(
        timeout(50),
        catchError(() => throwError(() => new RequestTimeoutException('Too slow.'))),
      );
    }
    if (askOf(context) === 'status') {
      return next.handle().pipe(tap(() => void reply.status(202)));
    }
    if (askOf(context) === 'own answer') {
      void reply.status(200).send({ hello: 'for free' });
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

/** More than most operations take: what one may take is the document's to say. */
export const GREETING_BYTES_MAX = 2 * 1024 * 1024;

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
      model: null,
      idempotent: true,
      envelope: true,
      bodyBytesMax: GREETING_BYTES_MAX,
      mediaTypes: ['application/json'],
    },
  },
};

const ASK = {
  type: 'object',
  additionalProperties: false,
  required: ['ask'],
  properties: { ask: { type: 'string' } },
};

const GREET: OperationSchemas = {
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

// @Serves reads it when the controller below is declared.
schemas.greet = GREET;

/** Documents the operation for the tests of a file. Others that the worker runs look at all operations of the document. */
export function documentGreetings(): void {
  beforeAll(() => {
    schemas.greet = GREET;
  });
  afterAll(() => {
    delete schemas.greet;
  });
}

/** How long an observable that fails late takes. */
export const LATE_MS = 300;
/** The signal of the last call that was too slow for an interceptor. */
export const tooSlow: { signal: AbortSignal | null } = { signal: null };

/** What both kinds of controllers do. */
function answer(ask: Ask): object | Observable<object> {
  const hello = { hello: 'world', undeclared: true };
  switch (ask) {
    case 'filter':
    case 'raw answer':
      throw new OutOfStock();
    case 'conflict':
      throw new ConflictException('Taken already.');
    case 'teapot':
      throw new HttpException('Short and stout.', 418);
    case 'large fields':
      throw Object.assign(new Error('a secret detail'), { statusCode: 431 });
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
    case 'late observable':
      return timer(LATE_MS).pipe(
        map(() => {
          throw new Error('a secret detail');
        }),
      );
    case 'database fault':
      throw new InternalServerErrorException(
        Object.assign(new Error('relation "secrets" is missing'), { query: 'secret' }),
      );
    case 'nothing thrown':
      throw Object.create(null);
    case 'no response':
      throw new HttpException(undefined as never, 400);
    case 'circular':
      throw new HttpException({ message: 'Round.', amount: 1n }, 409);
    case 'success thrown':
      throw new HttpException('Fine.', 200);
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
  greet({ body, signal, setHeader }: GreetCall): Promise<object> {
    if (body.ask === 'too slow') {
      tooSlow.signal = signal;
      return new Promise(() => undefined);
    }
    if (body.ask === 'bad header') {
      setHeader('x-own', 'a\nb');
    }
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

  @Patch('patched')
  patch(@Body() body: object): object {
    return { length: JSON.stringify(body).length };
  }

  @Get('numbers/:number')
  number(@Param('number', ParseIntPipe) number: number): object {
    return { number };
  }
}

/** What a team that extends the service might bring: an operation and routes of its own, with every kind of enhancer. */
@Module({
  controllers: [GreetingsController, OwnController],
  providers: [
    Watch,
    { provide: APP_GUARD, useClass: AskingAppGuard },
    { provide: APP_INTERCEPTOR, useClass: AskingAppInterceptor },
  ],
})
export class GreetingsModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply((request: { headers: Record<string, unknown> }, _: unknown, next: () => void) => {
        if (request.headers['x-ask'] === 'middleware') {
          throw new UnauthorizedException('The middleware objects.');
        }
        next();
      })
      .forRoutes({ path: 'own/{*rest}', method: RequestMethod.ALL });
  }
}

function askOf(context: ArgumentsHost): Ask | undefined {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  return (request.body as { ask?: Ask } | undefined)?.ask ?? (request.headers['x-ask'] as Ask | undefined);
}
