import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  REDIRECT_METADATA,
  RENDER_METADATA,
  ROUTE_ARGS_METADATA,
  SSE_METADATA,
} from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/internal';
import { DiscoveryService } from '@nestjs/core';
import { apis } from '../../generated/contract';
import type { ApiTable, OperationPolicy } from '../contract/operation';
import { SERVED_API, SERVED_OPERATION } from '../contract/serves.decorator';

/** An operation and the controller that has a method of its name. */
export interface ServedOperation {
  policy: OperationPolicy;
  controller: Record<string, (parameter: object) => unknown>;
}

type Wrapper = ReturnType<DiscoveryService['getControllers']>[number];

/** The controllers that serve operations. The service does not start unless every tag of the document has one. */
@Injectable()
export class ServedOperations implements OnModuleInit {
  private readonly byId = new Map<string, ServedOperation>();

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const operation of this.all()) {
      if (this.byId.has(operation.policy.operationId)) {
        throw new Error(`two controllers serve an operation of the name ${operation.policy.operationId}`);
      }
      this.byId.set(operation.policy.operationId, operation);
    }
  }

  /** The policy of an operation; null where no controller serves one of that name. */
  policyOf(operationId: string): OperationPolicy | null {
    return this.byId.get(operationId)?.policy ?? null;
  }

  /** @throws Error for an operation that no controller serves */
  get(operationId: string): ServedOperation {
    const operation = this.byId.get(operationId);
    if (!operation) {
      throw new Error(`no controller serves ${operationId}`);
    }
    return operation;
  }

  /**
   * Every operation, once: those of the document, and those of tables that other modules bring.
   * @throws Error when a tag is served twice or not at all, or by a controller that would not do what it says
   */
  all(): ServedOperation[] {
    const served = this.discovery
      .getControllers()
      .map((wrapper) => ({ wrapper, table: tableOf(wrapper) }))
      .filter((api): api is Served => api.table !== null);
    const faults = apis
      .map(({ tag }) => ({ tag, count: served.filter(({ table }) => table.tag === tag).length }))
      .filter(({ count }) => count !== 1)
      .map(({ tag, count }) => `${tag} is served ${count} times`);
    if (faults.length > 0) {
      throw new Error(
        `every tag of the document needs one controller, of a module in API_GROUPS (src/api-groups.ts): ${faults.join(', ')}`,
      );
    }
    return served.flatMap(operationsOf);
  }
}

interface Served {
  wrapper: Wrapper;
  table: ApiTable<Record<string, unknown>>;
}

function tableOf({ metatype }: Wrapper): Served['table'] | null {
  return metatype
    ? ((Reflect.getMetadata(SERVED_API, metatype) as Served['table'] | undefined) ?? null)
    : null;
}

function operationsOf({ wrapper, table }: Served): ServedOperation[] {
  const controller = wrapper.instance as ServedOperation['controller'];
  if (!wrapper.isDependencyTreeStatic()) {
    throw new Error(
      `${wrapper.name} is made anew for each request: what serves operations has to be a singleton`,
    );
  }
  const policies = Object.values(table.operations);
  const missing = policies.find(({ operationId }) => typeof controller[operationId] !== 'function');
  if (missing) {
    throw new TypeError(`${wrapper.name} lacks ${missing.operationId}`);
  }
  const unfit = policies.flatMap((policy) => unfitFor(policy, controller));
  if (unfit.length > 0) {
    throw new Error(`${wrapper.name} can't be metered: ${unfit.join(', ')}`);
  }
  return policies.map((policy) => ({ policy, controller }));
}

/** Decorators by whose metadata Nest answers itself, past what the operation returns. */
const ANSWERING: readonly [string, string][] = [
  [REDIRECT_METADATA, '@Redirect'],
  [RENDER_METADATA, '@Render'],
  [SSE_METADATA, '@Sse'],
];
/** The kinds of parameters with which a method takes the answer into its own hands. */
const TAKES_ANSWER = [RouteParamtypes.RESPONSE, RouteParamtypes.NEXT].map((kind) => `${kind}:`);

/** What keeps a method from serving its operation: it would be charged for and answered by something else. */
function unfitFor({ operationId }: OperationPolicy, controller: ServedOperation['controller']): string[] {
  const method = controller[operationId] as object;
  if (Reflect.getMetadata(SERVED_OPERATION, method) === undefined) {
    return [`${operationId} was overridden and has lost its route; bind the class itself with @Serves`];
  }
  const names = ANSWERING.filter(([key]) => Reflect.hasMetadata(key, method)).map(([, name]) => name);
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller.constructor, operationId) ??
    {}) as object;
  const takesAnswer = Object.keys(parameters).some((key) =>
    TAKES_ANSWER.some((kind) => key.startsWith(kind)),
  );
  return [...names, ...(takesAnswer ? ['@Res or @Next'] : [])].map((name) => `${name} on ${operationId}`);
}
