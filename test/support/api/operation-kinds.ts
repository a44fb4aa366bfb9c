import { apis } from '../../../generated/contract';
import type { OperationPolicy } from '../../../src/contract/operation';
import { policyOf, type OperationId } from './service';

/** The steps of the pipeline read these of a policy, and nothing else that decides what they do. */
function kindOf(policy: OperationPolicy): string {
  const { auth, role, rate, price, idempotent, mediaTypes, streams, answerType } = policy;
  return JSON.stringify([
    auth,
    role,
    rate === 'health',
    price !== null,
    idempotent,
    mediaTypes,
    streams,
    answerType,
  ]);
}

const policies = apis.flatMap((api) => Object.values<OperationPolicy>(api.operations));

/**
 * Whether the tests that are the same for all operations of a kind run for this one: it is the first of its kind in the
 * document. AUTOMATIC_TESTS=all runs them for every operation.
 */
export function standsForItsKind(operationId: OperationId): boolean {
  const kind = kindOf(policyOf(operationId));
  const first = policies.find((policy) => kindOf(policy) === kind);
  return process.env.AUTOMATIC_TESTS === 'all' || first?.operationId === operationId;
}
