import { apis } from '../../../generated/contract';
import type { OperationPolicy } from '../../../src/contract/operation';
import { ANSWERED_CALLS } from '../upstream/answered-calls';
import { operationOf } from './published-document';
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

/**
 * The statuses for which test/contract has the tests of all operations at once: a period that ends before it starts
 * (faulty-requests), the source of a text (documents-in-domains), what a model's provider refuses (kinds-of-models), and
 * that there is no model (hub-examples).
 */
export function statusesOfManyOperations(operationId: OperationId): number[] {
  const definition = JSON.stringify(operationOf(operationId).definition);
  return [
    ...(definition.includes('/EndDate"') ? [422] : []),
    ...(definition.includes('/SourceNotReady"') ? [404, 409, 422] : []),
    ...(ANSWERED_CALLS.some((call) => call.operationId === operationId) ? [404, 413, 422] : []),
    ...(FOR_MODELS_ALONE.has(operationId) ? [503] : []),
  ];
}
