import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Distribution } from '../../infrastructure/metrics/distribution';
import { Metrics } from '../../infrastructure/metrics/metrics';
import { RecentLatencies } from '../../infrastructure/metrics/recent-latencies';
import type { Tally } from '../../infrastructure/metrics/tally';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

interface OperationSeries {
  seconds: Distribution;
  answers: Map<number, Tally>;
}

/**
 * Counts every answer by operation and status. The labels come from the document alone, never from the caller: what
 * reaches no operation is not counted, or anybody could fill the memory with paths. A client that hung up got no
 * answer, and none is counted.
 */
@Injectable()
export class HttpMetrics implements OnModuleInit {
  private readonly answers;
  private readonly seconds;
  private readonly series = new Map<string, OperationSeries>();

  constructor(
    metrics: Metrics,
    private readonly host: HttpAdapterHost,
    private readonly recent: RecentLatencies,
  ) {
    this.answers = metrics.counter(
      'http_requests_total',
      'Answers, by operation of the document and status.',
    );
    this.seconds = metrics.histogram(
      'http_request_seconds',
      'Time from a request to the end of its answer.',
      SECONDS,
    );
  }

  onModuleInit(): void {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    server.addHook('onResponse', (request, reply, done) => {
      this.note(request, reply);
      done();
    });
  }

  /**
   * The call knows its operation. Fastify is asked only where there is no call, because it builds an object to answer.
   */
  private note(request: FastifyRequest, reply: FastifyReply): void {
    const operation = request.call?.policy ?? request.routeOptions.config.operation;
    if (!operation) {
      return;
    }
    const { operationId, rate } = operation;
    const { seconds, answers } = this.series.get(operationId) ?? this.begin(operationId);
    seconds.observe(reply.elapsedTime / 1000);
    let tally = answers.get(reply.statusCode);
    if (!tally) {
      tally = this.answers.labelled({ operation: operationId, status: String(reply.statusCode) });
      answers.set(reply.statusCode, tally);
    }
    tally.add();
    if (rate !== 'health' && !isRefusal(reply.statusCode)) {
      this.recent.note(rate, reply.elapsedTime);
    }
  }

  private begin(operation: string): OperationSeries {
    const series = { seconds: this.seconds.labelled({ operation }), answers: new Map<number, Tally>() };
    this.series.set(operation, series);
    return series;
  }
}

/** A refusal says nothing of how long the work takes, and a client that is refused all the time would make all fast. */
function isRefusal(status: number): boolean {
  return status >= 400 && status <= 499;
}
