import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallState } from '../contract/call-state';
import { RateLimitExceeded } from '../core/errors/rate-limit-exceeded';
import { RateLimiter } from '../core/rate-limits/rate-limiter';
import { rateLimitHeaders } from '../core/rate-limits/rate-limit-headers';
import { Clock } from '../infrastructure/clock/clock';
import { CallsInFlight } from './calls-in-flight';
import { Credentials } from './credentials';
import { RateSubjects } from './rate-subjects';
import { ResolvedCredentials } from './resolved-credentials';

/** Step 1: counts the call; beyond the limit 429. Health checks are exempt. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly credentials: Credentials,
    private readonly resolved: ResolvedCredentials,
    private readonly subjects: RateSubjects,
    private readonly limiter: RateLimiter,
    private readonly inFlight: CallsInFlight,
    private readonly clock: Clock,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') {
      return true;
    }
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const policy = request.routeOptions.config.operation;
    if (!policy) {
      return true;
    }
    const call = new CallState(policy, request.id, this.clock.now());
    if (policy.rate !== 'health') {
      this.inFlight.begin(call);
    }
    request.call = call;
    const credential = await this.credentials.resolve(request, policy.auth);
    this.resolved.set(call, credential);
    if (policy.rate === 'health') {
      return true;
    }
    const subjects = this.subjects.of(credential, policy, request.ip);
    const decision = await this.limiter.take(subjects, this.clock.now().getTime());
    if (!decision.allowed) {
      throw new RateLimitExceeded(decision);
    }
    http.getResponse<FastifyReply>().headers(rateLimitHeaders(decision));
    return true;
  }
}
