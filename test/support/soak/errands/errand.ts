import type { OperationId } from '../../api/service';
import type { TestAccount } from '../../api/world';
import type { SeededRandom } from '../../seeded-random';
import type { SoakAnswer, SoakBody, SoakCalls, SoakRequest } from '../soak-calls';

export interface SoakAccounts {
  /** They can pay for all that they do. */
  rich: readonly TestAccount[];
  /** Their credit, or the daily limit of their key, ends on the way. */
  poor: readonly TestAccount[];
  /** They make batches and nothing else. */
  batching: readonly TestAccount[];
  admin: TestAccount;
}

/** What the clients of a soak have to work with. */
export interface ErrandScene {
  readonly calls: SoakCalls;
  readonly accounts: SoakAccounts;
  readonly random: SeededRandom;
  /** Ids of the webhooks by the id of their account. */
  readonly webhooks: ReadonlyMap<string, string>;
  /** What was told that can't be. */
  readonly faults: string[];
}

/** Something that a client does, in one call or in some that follow from each other. */
export interface Errand {
  /** How often it comes, in proportion to others. */
  readonly share: number;
  run(scene: ErrandScene): Promise<void>;
}

const KEYED_SHARE = 0.3;
const POOR_SHARE = 0.1;

/** One of the accounts, rarely a poor one. */
export function anyAccount({ accounts, random }: ErrandScene): TestAccount {
  return random.pick(random.next() < POOR_SHARE ? accounts.poor : accounts.rich);
}

export function isServed({ status }: SoakAnswer): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** A call that may be asked for again under its Idempotency-Key, or not. */
export function perhapsKeyed(scene: ErrandScene, request: SoakRequest): SoakRequest {
  return scene.random.next() < KEYED_SHARE ? { ...request, idempotencyKey: scene.calls.newName() } : request;
}

/** Steps that follow from each other, until one is not served. */
export function inSteps(...steps: ((scene: ErrandScene, memory: Steps) => Promise<SoakAnswer | null>)[]) {
  return async (scene: ErrandScene): Promise<void> => {
    const memory: Steps = { account: anyAccount(scene), name: scene.calls.newName(), id: '' };
    for (const step of steps) {
      const answer = await step(scene, memory);
      if (answer !== null && !isServed(answer)) {
        return;
      }
    }
  };
}

export interface Steps {
  account: TestAccount;
  /** A name that nothing else has. */
  name: string;
  /** Of what the first step has made. */
  id: string;
}

/** A step that is one call. */
export function step(
  operation: OperationId,
  requestOf: (memory: Steps, scene: ErrandScene) => SoakRequest,
  noted: (body: SoakBody, memory: Steps, scene: ErrandScene) => void = () => undefined,
) {
  return async (scene: ErrandScene, memory: Steps): Promise<SoakAnswer> => {
    const answer = await scene.calls.call(operation, memory.account, requestOf(memory, scene));
    if (isServed(answer)) {
      noted(answer.body, memory, scene);
    }
    return answer;
  };
}
