import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { schemas } from '../../generated/schemas';
import { CallParameter } from './call-parameter';
import { OperationHandler, type Operation } from './operation-handler';
import { ServedOperations, type ServedOperation } from './served-operations';

/**
 * Gives every operation its route, on Fastify itself: Nest's router, with its guards, pipes and interceptors, costs more
 * than all steps of the pipeline together (docs/decisions/0007).
 */
@Injectable()
export class OperationRoutes implements OnModuleInit {
  constructor(
    private readonly served: ServedOperations,
    private readonly handler: OperationHandler,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Before the server is ready, after which Fastify takes no more routes. */
  onModuleInit(): void {
    const server = this.host.httpAdapter.getInstance<FastifyInstance>();
    for (const served of this.served.all()) {
      this.route(server, served);
    }
  }

  private route(server: FastifyInstance, { policy, controller }: ServedOperation): void {
    const { operationId, method, path, status } = policy;
    const response = schemas[operationId]?.responses[String(status)];
    const operation: Operation = {
      policy,
      work: (call) => controller[operationId]?.(new CallParameter(call)),
    };
    server.route({
      method,
      url: path,
      config: { operation: policy },
      schema: response ? { response: { [status]: response } } : {},
      handler: (request, reply) => {
        void this.handler.handle(operation, request, reply);
      },
    });
  }
}
