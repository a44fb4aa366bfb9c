import { policyOf, type ApiAnswer, type ApiRequest, type OperationId } from './service';
import type { TestAccount, World } from './world';

/** The account that a valid request of the operation is made by. */
export function callerOf(operationId: OperationId, world: World): TestAccount {
  return policyOf(operationId).role === 'admin' ? world.admin : world.owner;
}

/** Makes a request with the credential of an account; an explicit credential in the request wins. */
export async function callAs<Id extends OperationId>(
  operationId: Id,
  world: World,
  request: ApiRequest,
  account: TestAccount = callerOf(operationId, world),
): Promise<ApiAnswer<Id>> {
  const { auth } = policyOf(operationId);
  const own = { key: account.key, jwt: account.token, none: undefined }[auth];
  return world.service.call(operationId, { ip: world.ip, ...request, credential: request.credential ?? own });
}
