import type { JsonObject } from '../../../scripts/generate/json';
import { at } from '../../../scripts/generate/json';
import { headersOf, operationOf, published, responseOf } from './published-document';

const names = Object.keys(at(published, 'components', 'headers') as JsonObject);

/**
 * Throws unless an answer has every header that the document requires of such an answer, and none of the document's
 * headers beside those that it declares there.
 */
export function expectDeclaredHeaders(
  operationId: string,
  status: number,
  headers: Readonly<Record<string, unknown>>,
): void {
  const operation = operationOf(operationId);
  const isDeclared = at(operation.definition, 'responses', String(status)) !== undefined;
  const declared = headersOf(responseOf(operation, isDeclared ? String(status) : 'default'));
  const isSent = (name: string) => headers[name.toLowerCase()] !== undefined;
  const missing = Object.keys(declared).filter((name) => declared[name]?.required === true && !isSent(name));
  const undeclared = names.filter((name) => isSent(name) && declared[name] === undefined);
  if (missing.length > 0 || undeclared.length > 0) {
    throw new Error(
      `${operationId} ${status} lacks the declared headers [${missing.join(', ')}] and has the undeclared [${undeclared.join(', ')}]`,
    );
  }
}
