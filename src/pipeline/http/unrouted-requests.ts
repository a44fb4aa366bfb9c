import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { InProcessRateLimiter } from '../../core/access/rate-limits/in-process-rate-limiter';
import { RateLimitExceeded } from '../../core/access/rate-limits/rate-limit-exceeded';
import { rateLimitHeaders } from '../../core/access/rate-limits/rate-limit-headers';
import { Clock } from '../../infrastructure/clock/clock';
import { RateSubjects } from '../rate-subjects';

const ADDRESSES_MAX = 20_000;

/**
 * Counts what is answered without a route, and so without the pipeline: unknown paths and methods, malformed requests, and
 * OPTIONS, which is counted apart from the others.
 *
 * The count is this process's own. What it saves is this process's time, and asking Redis would take more of that than the
 * answer does.
 */
@Injectable()
export class UnroutedRequests implements OnModuleInit {
  private readonly limiter = new InProcessRateLimiter(ADDRESSES_MAX);

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly subjects: RateSubjects,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.countUnrouted = (request, reply) => this.count(request, reply);
  }

  private count({ method, ip }: FastifyRequest, reply: FastifyReply): RateLimitExceeded | null {
    const subject = method === 'OPTIONS' ? this.subjects.ofPreflights(ip) : this.subjects.ofUnrouted(ip);
    const decision = this.limiter.take([subject], this.clock.now().getTime());
    if (!decision.allowed) {
      return new RateLimitExceeded(decision);
    }
    reply.headers(rateLimitHeaders(decision));
    return null;
  }
}
