import { at, type Json } from '../../scripts/generate/json';
import { callAs } from '../support/api/call-as';
import { operations } from '../support/api/published-document';
import { TestService, type OperationId } from '../support/api/service';
import { World } from '../support/api/world';

const media = 'application/json';
const exampleOf = (definition: Json) => at(definition, 'responses', '200', 'content', media, 'example');
/** Of operations on texts, those whose example no model has answered. */
const ruled = operations.filter(
  ({ policy, definition }) =>
    ['creative', 'docs', 'professional', 'advanced'].includes(policy.tag) &&
    at(exampleOf(definition), 'metadata', 'engine', 'provider') === 'embedded',
);

let service: TestService;

beforeAll(async () => {
  service = await TestService.start();
});
afterAll(async () => service.stop());

it('finds the examples that the embedded engine answers', () => {
  expect(ruled.map(({ policy }) => policy.operationId)).toEqual([
    ...['processAdvanced', 'analyzeAdvanced', 'generateAdvanced', 'analyzeProfessional'],
    ...['generateDocs', 'improveDocs', 'structureDocs'],
  ]);
});

it.each(ruled)(
  'the documented example of $policy.operationId is what the embedded engine answers',
  async (operation) => {
    const world = await World.create(service);
    const { definition, policy } = operation;
    const body = at(definition, 'requestBody', 'content', media, 'example');
    const before = await world.balanceNanoUsd();
    const answer = await callAs(policy.operationId as OperationId, world, { body });
    const example = exampleOf(definition);
    expect(at(answer.body, 'data')).toEqual(at(example, 'data'));
    expect(at(answer.body, 'metadata', 'engine')).toEqual(at(example, 'metadata', 'engine'));
    expect(at(answer.body, 'metadata', 'cost')).toBe(at(example, 'metadata', 'cost'));
    expect(Number(before - (await world.balanceNanoUsd())) / 1e9).toBeCloseTo(
      Number(at(example, 'metadata', 'cost')),
      9,
    );
  },
);
