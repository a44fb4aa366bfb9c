import type { Call } from '../../../generated/contract';
import { answered, answeredModule } from '../../../src/contract/answered-module';
import type { ApiTable } from '../../../src/contract/operation';
import type { AnswerTask } from '../../../src/models/generation/typed-answers';
import { modelQuestion, schema } from '../../../src/models/generation/output-schema';

interface Usage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
}

interface Api {
  judge: (call: Call<'analyzeProfessional'>) => Promise<{ verdict: string; model: string; usage: Usage }>;
  weigh: (call: Call<'analyzeProfessional'>) => Promise<{ grams: number; model: string; usage: Usage }>;
}

declare const table: ApiTable<Api>;
declare const verdict: AnswerTask<{ verdict: string }>;
declare const weight: AnswerTask<{ kilograms: number }>;

const judge = answered<Api['judge']>(() => verdict);
const weigh = answered<Api['weigh'], { kilograms: number }>(
  () => weight,
  ({ kilograms, ...answer }) => ({ ...answer, grams: 1000 * kilograms }),
);

answeredModule(table, {
  judge: answered(async (call, { textOf }) =>
    (await textOf(call)) === call.body.content ? verdict : verdict,
  ),
  weigh: answered(
    () => weight,
    ({ kilograms, ...answer }, call, { threads }) => ({ ...answer, grams: threads ? 1 : kilograms }),
  ),
});

// @ts-expect-error The operation weigh is missing.
answeredModule(table, { judge });

answeredModule(table, {
  judge,
  weigh: answered(
    () => weight,
    // @ts-expect-error The result lacks grams.
    ({ model, usage }) => ({ model, usage }),
  ),
});

answeredModule(table, {
  judge,
  weigh: answered(
    () => weight,
    // @ts-expect-error The task finds no pounds.
    ({ pounds, ...answer }) => ({ ...answer, grams: 454 * pounds }),
  ),
});

// @ts-expect-error The task finds no verdict, and nothing makes one of what it finds.
answeredModule(table, { weigh, judge: answered(() => weight) });

answeredModule(table, {
  weigh,
  // @ts-expect-error The body has no tier.
  judge: answered(({ body }) => (body.tier ? verdict : verdict)),
});

const SCHEMA = schema.object({ size: schema.oneOf(['small', 'large']), reason: schema.text });
const question = { prompt: null as never, name: 'size' };

modelQuestion({ ...question, schema: SCHEMA, read: ({ size, reason }) => `${size} ${reason}` });
// @ts-expect-error The schema has no weight.
modelQuestion({ ...question, schema: SCHEMA, read: ({ weight: grams }) => String(grams) });
// @ts-expect-error The schema has no such size.
modelQuestion({ ...question, schema: SCHEMA, read: ({ size }) => size === 'medium' });
