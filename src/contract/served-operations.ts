import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { apis } from '../../generated/contract';
import { foreignDecorators } from './foreign-decorators';
import type { ApiTable, OperationPolicy } from './operation';
import { SERVED_API } from './serves.decorator';

/** An operation of the document and the controller that has a method of its name. */
export interface ServedOperation {
  policy: OperationPolicy;
  controller: Record<string, (parameter: object) => unknown>;
}

type Wrapper = ReturnType<DiscoveryService['getControllers']>[number];

/** Finds the controllers that serve the document's operations. */
@Injectable()
export class ServedOperations {
  constructor(private readonly discovery: DiscoveryService) {}

  /**
   * Every operation of the document, once.
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
  const foreign = foreignDecorators(
    controller,
    policies.map(({ operationId }) => operationId),
  );
  if (foreign.length > 0) {
    throw new Error(
      `${foreign.join(', ')}: has no effect on operations, which do not pass Nest's router. ` +
        'What every call has to pass is a step in the list of src/pipeline/pipeline.module.ts.',
    );
  }
  return policies.map((policy) => ({ policy, controller }));
}
