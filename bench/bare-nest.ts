import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';

/** The baseline: Nest on Fastify with one route that answers what it was sent, and nothing else. */
@Controller()
class EchoController {
  @Post('/echo')
  @HttpCode(201)
  echo(@Body() body: Record<string, unknown>): Record<string, unknown> {
    return { data: { ...body, id: '0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11' }, metadata: { cost: 0 } };
  }
}

@Module({ controllers: [EchoController] })
class BareModule {}

async function main(): Promise<void> {
  const application = await NestFactory.create(BareModule, new FastifyAdapter(), { logger: false });
  await application.listen(Number(process.env.PORT), '127.0.0.1');
  process.send?.('ready');
}

void main();
