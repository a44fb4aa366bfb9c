import { Injectable, Redirect, Render, Res, Scope, Sse, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { apis } from '../../generated/contract';
import { type ApiTable, Serves } from '../../src/contract/operation';
import { ServedOperations } from '../../src/pipeline/metered-calls';

type AnyApi = ApiTable<Record<string, unknown>>;

const TAGS = apis as readonly AnyApi[];
const [FIRST, ...OTHERS] = TAGS as [AnyApi, ...AnyApi[]];
const [OPERATION = ''] = Object.keys(FIRST.operations);

describe('the controllers that serve the document', () => {
  it('are found with every operation', async () => {
    const operations = (await find(TAGS.map(controllerOf))).all();
    const ids = TAGS.flatMap((table) => Object.keys(table.operations));
    expect(operations.map(({ policy }) => policy.operationId)).toEqual(ids);
  });

  it('are refused where a tag is served twice or not at all', async () => {
    const need = 'needs one controller, of a module in API_GROUPS (src/app.module.ts):';
    const twice = await find([FIRST, FIRST, ...OTHERS].map(controllerOf));
    expect(() => twice.all()).toThrow(`${need} ${FIRST.tag} is served 2 times`);
    const missing = await find(OTHERS.map(controllerOf));
    expect(() => missing.all()).toThrow(`${need} ${FIRST.tag} is served 0 times`);
  });

  it('are refused where they lack an operation', async () => {
    const controller = controllerOf(FIRST);
    Reflect.deleteProperty(controller.prototype as object, OPERATION);
    const served = await find([controller, ...OTHERS.map(controllerOf)]);
    expect(() => served.all()).toThrow(`${controller.name} lacks ${OPERATION}`);
  });

  it.each([
    ['@Redirect', Redirect('/elsewhere')],
    ['@Render', Render('view')],
    ['@Sse', Sse('events')],
  ])('are refused with %s on an operation, which would answer past it', async (name, decorate) => {
    const controller = controllerOf(FIRST);
    const method = Object.getOwnPropertyDescriptor(controller.prototype, OPERATION) ?? {};
    decorate(controller.prototype as object, OPERATION, method);
    await expectUnfit(controller, name);
  });

  it('are refused where an operation takes the answer into its own hands', async () => {
    const controller = controllerOf(FIRST);
    Res()(controller.prototype as object, OPERATION, 1);
    await expectUnfit(controller, '@Res or @Next');
  });

  it('are refused where a subclass overrides an operation, which has no route then', async () => {
    const bound = controllerOf(FIRST);
    class Overriding extends bound {}
    Object.defineProperty(Overriding.prototype, OPERATION, { value: () => OPERATION });
    await expectUnfit(Overriding, 'was overridden');
  });

  it('are refused where each request would get one of its own', async () => {
    const controller = controllerOf(FIRST);
    Injectable({ scope: Scope.REQUEST })(controller);
    const served = await find([controller, ...OTHERS.map(controllerOf)]);
    expect(() => served.all()).toThrow('has to be a singleton');
  });

  async function expectUnfit(controller: Type, what: string): Promise<void> {
    const served = await find([controller, ...OTHERS.map(controllerOf)]);
    expect(() => served.all()).toThrow(what);
    expect(() => served.all()).toThrow(OPERATION);
  }
});

/** A controller with a method for every operation of a tag. */
function controllerOf(table: AnyApi): Type {
  class TagController {}
  for (const id of Object.keys(table.operations)) {
    Object.defineProperty(TagController.prototype, id, { value: () => id, configurable: true });
  }
  Serves(table)(TagController as Type<Record<string, unknown>>);
  return TagController;
}

async function find(controllers: Type[]): Promise<ServedOperations> {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    controllers,
    providers: [ServedOperations],
  }).compile();
  return module.get(ServedOperations);
}
