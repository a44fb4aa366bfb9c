import { at } from '../../scripts/generate/json';
import { callAs } from '../support/api/call-as';
import { operations } from '../support/api/published-document';
import { TestService, type OperationId } from '../support/api/service';
import { World } from '../support/api/world';

const writing = operations.filter(({ policy }) => ['creative', 'docs'].includes(policy.tag));
const media = 'application/json';

let service: TestService;

beforeAll(async () => {
  service = await TestService.start();
});
afterAll(async () => service.stop());

it('the document has the operations of creative and docs', () => {
  expect(writing.map(({ policy }) => policy.operationId)).toEqual([
    ...['generateCreative', 'enhanceCreative', 'brainstormCreative'],
    ...['generateDocs', 'improveDocs', 'structureDocs'],
  ]);
});

it.each(writing)(
  'the documented example of $policy.operationId is what the embedded engine answers',
  async (operation) => {
    const world = await World.create(service);
    const { definition, policy } = operation;
    const body = at(definition, 'requestBody', 'content', media, 'example');
    const before = await world.balanceNanoUsd();
    const answer = await callAs(policy.operationId as OperationId, world, { body });
    const example = at(definition, 'responses', '200', 'content', media, 'example');
    expect(at(answer.body, 'data')).toEqual(at(example, 'data'));
    expect(at(answer.body, 'metadata', 'engine')).toEqual(at(example, 'metadata', 'engine'));
    expect(at(answer.body, 'metadata', 'cost')).toBe(at(example, 'metadata', 'cost'));
    expect(Number(before - (await world.balanceNanoUsd())) / 1e9).toBeCloseTo(
      Number(at(example, 'metadata', 'cost')),
      9,
    );
  },
);
