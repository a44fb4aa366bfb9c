import 'reflect-metadata';
import { Body, Controller, HttpCode, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { echo, enveloped, type Echo } from './echo';
import { reportReady } from './report-ready';

/** The baseline of all ratios: Nest on Fastify with one route that answers what it was sent, and nothing else. */
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

async function main(): Promise<void> {
  const application = await NestFactory.create(BareModule, new FastifyAdapter(), { logger: false });
  await application.listen(0, '127.0.0.1');
  reportReady(await application.getUrl());
}

void main();
