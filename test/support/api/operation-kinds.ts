import { apis } from '../../../generated/contract';
import type { OperationPolicy } from '../../../src/contract/operation';
import type { OperationId } from './service';

/** Operations whose documented example only a model answers. Their own tests script one; without one they are 503. */
export const FOR_MODELS_ALONE: ReadonlySet<string> = new Set([
  ...['generateStory', 'generateCreative', 'enhanceCreative', 'brainstormCreative'],
  ...['generateProfessional', 'optimizeProfessional', 'optimizeAdvanced'],
]);

/** The steps of the pipeline read these of a policy, and nothing else that decides what they do. */
function kindOf(policy: OperationPolicy): string {
  const { auth, role, rate, price, idempotent, mediaTypes, streams, answerType, recentPassword } = policy;
  return JSON.stringify([
    auth,
    role,
    rate === 'health',
    price !== null,
    idempotent,
    mediaTypes,
    streams,
    answerType,
    recentPassword,
  ]);
}

/** The first operation of each kind among these. */
export function firstOfEachKind<Policy extends OperationPolicy>(policies: readonly Policy[]): Policy[] {
  const kinds = policies.map(kindOf);
  return policies.filter((_, index) => kinds.indexOf(kinds[index] ?? '') === index);
}

const policies = apis.flatMap((api) => Object.values<OperationPolicy>(api.operations));
const standing = new Set(firstOfEachKind(policies).map(({ operationId }) => operationId));

/**
 * Whether the tests that are the same for all operations of a kind run for this one: it is the first of its kind in the
 * document. AUTOMATIC_TESTS=all runs them for every operation.
 */
export function standsForItsKind(operationId: OperationId): boolean {
  return process.env.AUTOMATIC_TESTS === 'all' || standing.has(operationId);
}
