import {
  Controller,
  createParamDecorator,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
  type ExecutionContext,
} from '@nestjs/common';
import { RouteConfig, RouteSchema } from '@nestjs/platform-fastify';
import { schemas } from '../../generated/schemas';
import type { ApiTable, OperationPolicy } from './operation';

/** The metadata key under which a controller carries the table of the tag that it serves. */
export const SERVED_API = 'contract:api';
/** The metadata key under which a controller's method carries the policy of the operation that it serves. */
export const SERVED_OPERATION = 'contract:operation';

/** A request of Fastify's, on which the pipeline leaves the call that makes the parameter of an operation's method. */
interface CarryingRequest {
  call?: { parameter(): unknown };
}

/** The one parameter of an operation's method. */
const OperationCall = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<CarryingRequest>().call?.parameter(),
);

/**
 * Binds a controller to one tag of the document: routes, statuses, policies and response schemas come from there.
 * A controller that lacks one of the tag's operations does not compile.
 */
export function Serves<Api>(table: ApiTable<Api>) {
  return (target: new (...dependencies: never[]) => Api): void => {
    Controller()(target);
    SetMetadata(SERVED_API, table)(target);
    for (const policy of Object.values<OperationPolicy>(table.operations)) {
      bind(target.prototype as object, policy);
    }
  };
}

/** Gives the method of an operation its route. A missing method is skipped here; the service then refuses to start. */
function bind(prototype: object, policy: OperationPolicy): void {
  const { operationId, method, path, status, bodyBytesMax } = policy;
  const value: unknown = (prototype as Record<string, unknown>)[operationId];
  if (typeof value !== 'function') {
    return;
  }
  const response = schemas[operationId]?.responses[String(status)];
  const decorators = [
    RequestMapping({ method: RequestMethod[method], path }),
    HttpCode(status),
    SetMetadata(SERVED_OPERATION, policy),
    RouteConfig({ operation: policy, bodyBytesMax }),
    RouteSchema(response ? { response: { [status]: response } } : {}),
  ];
  for (const decorate of decorators) {
    decorate(prototype, operationId, { value });
  }
  OperationCall()(prototype, operationId, 0);
}
