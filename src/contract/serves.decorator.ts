import { Controller, SetMetadata } from '@nestjs/common';
import type { ApiTable } from './operation';

/** Under this name a controller carries the table of the tag that it serves. */
export const SERVED_API = 'contract:api';

/**
 * Binds a controller to one tag of the document: routes, statuses, policies and response schemas come from there.
 * A controller that lacks one of the tag's operations does not compile.
 */
export function Serves<Api>(table: ApiTable<Api>) {
  return (target: new (...dependencies: never[]) => Api): void => {
    Controller()(target);
    SetMetadata(SERVED_API, table)(target);
  };
}
