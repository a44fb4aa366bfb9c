import type { Operation } from './operations';
import type { JsonObject } from './json';

export function writeDto(_document: JsonObject, _operations: Operation[]): Record<string, string> {
  return {};
}
