import {
  Get,
  HttpCode,
  Injectable,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
  type CanActivate,
  type Type,
} from '@nestjs/common';
import { BaseExceptionFilter, DiscoveryModule } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { apis } from '../../generated/contract';
import type { ApiTable } from '../../src/contract/operation';
import { ServedOperations } from '../../src/contract/served-operations';
import { Serves } from '../../src/contract/serves.decorator';

type AnyApi = ApiTable<Record<string, unknown>>;

const TAGS = apis as readonly AnyApi[];
const [FIRST, ...OTHERS] = TAGS as [AnyApi, ...AnyApi[]];
const [OPERATION = ''] = Object.keys(FIRST.operations);

class Guard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

class Nothing {
  intercept(): never {
    throw new Error('never runs');
  }
}

const ON_CLASS: [string, ClassDecorator][] = [
  ['@UseGuards', UseGuards(Guard)],
  ['@UseInterceptors', UseInterceptors(Nothing)],
  ['@UsePipes', UsePipes(ValidationPipe)],
  ['@UseFilters', UseFilters(BaseExceptionFilter)],
];
const ON_METHOD: [string, MethodDecorator][] = [
  ...(ON_CLASS as unknown as [string, MethodDecorator][]),
  ['a route', Get('/unmetered')],
  ['@HttpCode', HttpCode(202)],
];

describe('the controllers that serve the document', () => {
  it('are found with every operation', async () => {
    const operations = (await find(TAGS.map(controllerOf))).all();
    const ids = TAGS.flatMap((table) => Object.keys(table.operations));
    expect(operations.map(({ policy }) => policy.operationId)).toEqual(ids);
  });

  it('are refused where a tag is served twice or not at all', async () => {
    const twice = await find([FIRST, FIRST, ...OTHERS].map(controllerOf));
    expect(() => twice.all()).toThrow(`needs one controller: ${FIRST.tag} is served 2 times`);
    const missing = await find(OTHERS.map(controllerOf));
    expect(() => missing.all()).toThrow(`needs one controller: ${FIRST.tag} is served 0 times`);
  });

  it.each(ON_CLASS)('are refused with %s, which would never run', async (name, decorate) => {
    const controller = controllerOf(FIRST);
    decorate(controller);
    await expectRefused(controller, `${controller.name}: ${name}`);
  });

  it.each(ON_METHOD)('are refused with %s on an operation', async (name, decorate) => {
    const controller = controllerOf(FIRST);
    const method = Object.getOwnPropertyDescriptor(controller.prototype, OPERATION) ?? {};
    decorate(controller.prototype as object, OPERATION, method);
    await expectRefused(controller, `${controller.name}.${OPERATION}: ${name}`);
  });

  it('are refused where they lack an operation', async () => {
    const controller = controllerOf(FIRST);
    Reflect.deleteProperty(controller.prototype as object, OPERATION);
    const served = await find([controller, ...OTHERS.map(controllerOf)]);
    expect(() => served.all()).toThrow(`${controller.name} lacks ${OPERATION}`);
  });

  it('are refused where each request would get one of its own', async () => {
    const controller = controllerOf(FIRST);
    Injectable({ scope: Scope.REQUEST })(controller);
    const served = await find([controller, ...OTHERS.map(controllerOf)]);
    expect(() => served.all()).toThrow('has to be a singleton');
  });

  async function expectRefused(controller: Type, what: string): Promise<void> {
    const served = await find([controller, ...OTHERS.map(controllerOf)]);
    expect(() => served.all()).toThrow(`${what}: has no effect on operations`);
    expect(() => served.all()).toThrow('src/pipeline/pipeline.module.ts');
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
