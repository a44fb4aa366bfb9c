import {
  applyDecorators,
  Controller,
  createParamDecorator,
  Delete,
  Get,
  HttpCode,
  Patch,
  Post,
  Put,
  SetMetadata,
  type ExecutionContext,
} from '@nestjs/common';
import { RouteConfig, RouteSchema } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { schemas } from '../../generated/schemas';
import type { CallState } from './call-state';
import type { ApiTable, OperationPolicy } from './operation';

/** Under this name a controller carries the tag that it serves. */
export const SERVED_TAG = 'contract:tag';

const ROUTES = { GET: Get, POST: Post, PUT: Put, DELETE: Delete, PATCH: Patch };

/**
 * Binds a controller to one tag of the document: routes, statuses, policies and response schemas come from there.
 * A controller that lacks one of the tag's operations does not compile.
 */
export function Serves<Api>(table: ApiTable<Api>) {
  return (target: new (...dependencies: never[]) => Api): void => {
    for (const policy of Object.values<OperationPolicy>(table.operations)) {
      bind(target.prototype as object, policy);
    }
    Controller()(target);
    SetMetadata(SERVED_TAG, table.tag)(target);
  };
}

function bind(prototype: object, policy: OperationPolicy): void {
  const method = Object.getOwnPropertyDescriptor(prototype, policy.operationId);
  if (!method) {
    throw new TypeError(`${prototype.constructor.name} lacks ${policy.operationId}`);
  }
  const response = schemas[policy.operationId]?.responses[String(policy.status)];
  applyDecorators(
    ROUTES[policy.method](policy.path),
    HttpCode(policy.status),
    RouteConfig({ operation: policy }),
    RouteSchema(response ? { response: { [policy.status]: response } } : {}),
  )(prototype, policy.operationId, method);
  CallParameter()(prototype, policy.operationId, 0);
}

/** The one parameter of every operation: its validated input and what the pipeline found out. */
const CallParameter = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { call } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!call) {
    throw new Error('an operation was reached without its pipeline');
  }
  return parameterOf(call);
});

function parameterOf(call: CallState) {
  return {
    ...call.input,
    requestId: call.requestId,
    signal: call.abort.signal,
    idempotencyId: call.claim?.id ?? null,
    setHeader: (name: string, value: string) => {
      call.headers[name] = value;
    },
    account: call.account,
    key: call.key,
    token: call.token,
    meter: call,
  };
}
