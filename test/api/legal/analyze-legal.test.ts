import { callAs } from '../../support/api/call-as';
import { describeInvention, expectCharged, expectRefused } from '../../support/upstream/answered-operation';
import { describeOperation } from '../../support/api/describe-operation';
import { GERMAN, LEGAL_PRICE, SERVICE_AGREEMENT } from '../../support/legal/contract-fixtures';
import { scriptModel } from '../../support/upstream/scripted-model';

const LAW = 'This Agreement is governed by the laws of England and Wales.';
const TOLD = {
  document_type: 'service_agreement',
  parties: [{ name: 'Northwind Analytics Ltd', role: 'Supplier', aliases: ['Supplier'] }],
  dates: [{ text: '3 March 2026', date: '2026-03-03' }],
  amounts: [{ text: 'EUR 4,250.00', amount: '4250.00', currency: 'EUR' }],
  clauses: [
    {
      type: 'renewal',
      heading: 'Term and Termination',
      quote: 'It shall automatically renew',
      risk: 'medium',
      explanation: 'It goes on.',
    },
  ],
  missing_clauses: ['warranty'],
  governing_law: { law: 'England and Wales', quote: LAW },
};
const OPERATION = {
  operationId: 'analyzeLegal',
  body: { content: SERVICE_AGREEMENT },
  invented: { ...TOLD, governing_law: { law: 'Mars', quote: 'The law of Mars applies.' } },
} as const;

describeOperation(
  'analyzeLegal',
  (_, variant) => ({ body: { content: `${SERVICE_AGREEMENT} Copy ${variant}.`, max_tokens: 200 } }),
  (status) => {
    describeInvention(status, OPERATION);

    status(503, 'refuses a German text without an upstream, free of charge', async (world) => {
      const message = expect.stringMatching(
        /none is configured\. Without one only texts in English are read/,
      );
      await expectRefused(world, { operationId: 'analyzeLegal', body: { content: GERMAN } }, 503, message);
    });

    status(200, 'tells the facts of a contract by rules, and charges its tokens', async (world) => {
      const { body } = await expectCharged(world, OPERATION, LEGAL_PRICE);
      const { data, metadata } = body as unknown as { data: Record<string, never>; metadata: object };
      expect(data).toMatchObject({
        document_type: null,
        parties: [
          { name: 'Northwind Analytics Ltd', role: 'Supplier' },
          { name: 'Harbour & Finch GmbH', role: 'Customer' },
        ],
        missing_clauses: null,
        governing_law: { law: 'England and Wales', text: LAW },
        disclaimer: 'This answer was found automatically and is not legal advice.',
        model: 'embedded-contract-rules-1',
      });
      expect(metadata).toMatchObject({
        engine: { provider: 'embedded', method: 'contract-rules', quality: 'basic' },
      });
    });

    status(200, 'has a model analyze, finds its quotes again, and charges what it used', async (world) => {
      scriptModel(world, [{ content: JSON.stringify(TOLD), use: [900, 200] }]);
      const { body } = await expectCharged(world, OPERATION, LEGAL_PRICE);
      const at = SERVICE_AGREEMENT.indexOf('It shall automatically renew');
      expect(body).toMatchObject({
        data: {
          ...{ document_type: 'service_agreement', missing_clauses: ['warranty'], model: 'scripted-1' },
          clauses: [{ type: 'renewal', start: at, end: at + 28 }],
          governing_law: { law: 'England and Wales', text: LAW, start: SERVICE_AGREEMENT.indexOf(LAW) },
          amounts: [{ text: 'EUR 4,250.00', amount: '4250.00', currency: 'EUR' }],
          usage: { total_tokens: 1_100 },
        },
      });
    });

    status(200, 'answers for a text that is no contract that nothing was found', async (world) => {
      const content = 'The bees dance to tell the others where the flowers are.';
      const { body } = await callAs('analyzeLegal', world, { body: { content } });
      expect(body).toMatchObject({
        data: { document_type: null, parties: [], clauses: [], missing_clauses: null, governing_law: null },
      });
    });
  },
);

afterEach(() => {
  jest.restoreAllMocks();
});
