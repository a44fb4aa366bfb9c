import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { apis } from '../../generated/contract';
import type { ApiTable, OperationPolicy } from '../contract/operation';
import { SERVED_API } from '../contract/serves.decorator';

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
      throw new Error(`every tag of the document needs one controller: ${faults.join(', ')}`);
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
  return policies.map((policy) => ({ policy, controller }));
}
