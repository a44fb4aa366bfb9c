import 'reflect-metadata';
import {
  Body,
  type CallHandler,
  Controller,
  type ExecutionContext,
  HttpCode,
  Module,
  type NestInterceptor,
  Post,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { echo, enveloped, type Echo } from './echo';
import { reportReady } from './report-ready';

/**
 * The baseline of all ratios: Nest on Fastify with one route that answers what it was sent, and nothing else. With GUARDED it also has
 * a guard and an interceptor that do nothing: what Nest itself takes for the two that the pipeline is made of.
 */
@Controller()
class EchoController {
  @Post('/echo')
  @HttpCode(201)
  echo(@Body() body: Echo): object {
    return enveloped(echo(body));
  }
}

@Module({ controllers: [EchoController] })
class BareModule {}

class OpenGuard {
  canActivate(): boolean {
    return true;
  }
}

class PassingInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle();
  }
}

async function main(): Promise<void> {
  const application = await NestFactory.create(BareModule, new FastifyAdapter(), { logger: false });
  if (process.env.GUARDED) {
    application.useGlobalGuards(new OpenGuard()).useGlobalInterceptors(new PassingInterceptor());
  }
  await application.listen(0, '127.0.0.1');
  reportReady(await application.getUrl());
}

void main();
