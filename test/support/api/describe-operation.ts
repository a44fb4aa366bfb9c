import { automaticRefusals } from './automatic-refusals';
import { documentedStatuses } from './document-check';
import { standsForItsKind, statusesOfManyOperations } from './operation-kinds';
import { TestService, type ApiRequest, type OperationId } from './service';
import { World } from './world';

type StatusTest = (world: World) => Promise<void>;

/** Makes a request that succeeds with the owner's credential; other variants have other bodies. */
export type ValidRequest = (world: World, variant: number) => Promise<ApiRequest> | ApiRequest;

/** Registers a test of one documented status, named after what it guarantees. */
export type DescribeStatus = (status: number, guarantee: string, test: StatusTest) => void;

/**
 * The tests of one operation, a describe per status, refusals first. What every operation of its kind must refuse
 * (credentials, rates, roles, other accounts' resources, credit, retries, faults) is tested from the valid request;
 * the definition adds the operation's own. A documented status without a test fails the file.
 */
export function describeOperation(
  operationId: OperationId,
  valid: ValidRequest,
  define: (status: DescribeStatus) => void,
  environment: Record<string, string> = {},
): void {
  let service: TestService;
  const tests: { status: number; guarantee: string; test: StatusTest }[] = [];
  const add: DescribeStatus = (status, guarantee, test) => tests.push({ status, guarantee, test });
  // Where another operation stands for the kind, its file has the test.
  const byKind = statusesOfManyOperations(operationId);
  const ofKind: DescribeStatus = standsForItsKind(operationId) ? add : (status) => byKind.push(status);
  automaticRefusals(operationId, valid, add, ofKind);
  define(add);

  describe(operationId, () => {
    beforeAll(async () => {
      service = await TestService.start(environment);
    });
    afterAll(async () => service.stop());

    const statuses = [...new Set(tests.map(({ status }) => status))].sort((a, b) => b - a);
    describe.each(statuses.map((status) => [status]))('%d', (status) => {
      const ofStatus = tests.filter((candidate) => candidate.status === status);
      it.each(ofStatus.map(({ guarantee, test }) => [guarantee, test] as const))('%s', async (_, test) => {
        await test(await World.create(service));
      });
    });

    it('has a test for every documented status', () => {
      const tested = [...statuses, ...byKind].map((status) =>
        status >= 500 && status !== 503 ? 'default' : String(status),
      );
      expect(documentedStatuses(operationId).filter((status) => !tested.includes(status))).toEqual([]);
    });
  });
}
