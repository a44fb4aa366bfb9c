import {
  EXCEPTION_FILTERS_METADATA,
  GUARDS_METADATA,
  HEADERS_METADATA,
  HTTP_CODE_METADATA,
  INTERCEPTORS_METADATA,
  PATH_METADATA,
  PIPES_METADATA,
  REDIRECT_METADATA,
  ROUTE_ARGS_METADATA,
} from '@nestjs/common/constants';

/** Decorators of Nest's router by the metadata that they leave. */
const ON_CLASS_OR_METHOD: readonly [string, string][] = [
  [GUARDS_METADATA, '@UseGuards'],
  [INTERCEPTORS_METADATA, '@UseInterceptors'],
  [PIPES_METADATA, '@UsePipes'],
  [EXCEPTION_FILTERS_METADATA, '@UseFilters'],
];
const ON_METHOD: readonly [string, string][] = [
  ...ON_CLASS_OR_METHOD,
  [PATH_METADATA, 'a route'],
  [HTTP_CODE_METADATA, '@HttpCode'],
  [HEADERS_METADATA, '@Header'],
  [REDIRECT_METADATA, '@Redirect'],
];

/**
 * What a controller or its operations carry for Nest's router, as `MemoryController.getMemory: @UseGuards`. Operations do
 * not pass that router: a guard on one would be trusted and never run, a route would lead past the pipeline.
 */
export function foreignDecorators(controller: object, operationIds: readonly string[]): string[] {
  const type = controller.constructor;
  const onClass = namesIn(ON_CLASS_OR_METHOD, type).map((name) => `${type.name}: ${name}`);
  const onMethods = operationIds.flatMap((id) => {
    const method = (controller as Record<string, object>)[id] ?? {};
    const hasParameters = Reflect.hasMetadata(ROUTE_ARGS_METADATA, type, id);
    const names = [...namesIn(ON_METHOD, method), ...(hasParameters ? ['a parameter decorator'] : [])];
    return names.map((name) => `${type.name}.${id}: ${name}`);
  });
  return [...onClass, ...onMethods];
}

function namesIn(decorators: readonly [string, string][], target: object): string[] {
  return decorators.filter(([key]) => Reflect.hasMetadata(key, target)).map(([, name]) => name);
}
