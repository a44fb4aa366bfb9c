import type { ServerResponse } from 'node:http';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { UnsentBytes } from '../../infrastructure/http/unsent-bytes';

/** Smaller answers are not counted: a connection has a few of them at most (infrastructure/http/pipelined-requests.ts). */
const COUNTED_FROM_CHARACTERS = 16 * 1024;

/** Counts the answers of calls among the unsent bytes, until they are sent or their connection closes. */
@Injectable()
export class UnsentAnswers implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly unsent: UnsentBytes,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    // The payloads of calls are texts. A Buffer is one of the static answers, which are in memory only once.
    server.addHook('onSend', (request, reply, payload, done) => {
      if (typeof payload === 'string' && payload.length >= COUNTED_FROM_CHARACTERS) {
        this.count(request.call?.account?.id ?? null, Buffer.byteLength(payload), reply.raw);
      }
      done(null, payload);
    });
  }

  private count(accountId: string | null, bytes: number, answer: ServerResponse): void {
    const release = this.unsent.hold(accountId, bytes);
    const { socket } = answer.req;
    const end = () => {
      release();
      answer.off('finish', end).off('close', end);
      socket.off('close', end);
    };
    answer.on('finish', end).on('close', end);
    // Node does not tell an answer that waits for an earlier one that their connection has closed.
    socket.on('close', end);
    if (socket.destroyed) {
      end();
    }
  }
}
