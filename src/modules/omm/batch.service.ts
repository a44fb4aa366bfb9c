import { Injectable } from '@nestjs/common';
import type { RunOmmBatchCall } from '../../../generated/contract';
import type { OmmBatch, OmmBatchItem, OmmBatchOperation, OmmBatchResult } from '../../../generated/types';
import { nanoToUsd } from '../../core/money/pricing/usd';
import { BatchRuns, type ItemOutcome } from '../../core/work/batches/batch-runs';

const OPERATIONS: Record<OmmBatchOperation, string> = {
  process: 'processInputs',
  analyze: 'analyzeInputs',
  generate: 'generateFromInputs',
  transform: 'transformInput',
};

/** Runs the items of a batch and adds up what they were charged. */
@Injectable()
export class BatchService {
  constructor(private readonly runs: BatchRuns) {}

  /** Throws what BatchRuns.run throws. */
  async run(call: RunOmmBatchCall): Promise<OmmBatch> {
    const { body, key, idempotencyId, signal } = call;
    const items = body.items.map(({ operation, body: of }) => ({
      operationId: OPERATIONS[operation],
      body: of,
    }));
    const outcomes = await this.runs.run({ items, keyId: key.id, idempotencyId, signal });
    const results = outcomes.map((outcome, index) => resultOf(outcome, index, body.items));
    const costNanoUsd = outcomes.reduce((sum, outcome) => sum + chargeOf(outcome), 0n);
    call.includeCost(costNanoUsd);
    const failed = results.filter(({ error }) => error !== null).length;
    return { results, succeeded: results.length - failed, failed, cost: nanoToUsd(costNanoUsd) };
  }
}

function resultOf(outcome: ItemOutcome, index: number, items: readonly OmmBatchItem[]): OmmBatchResult {
  const operation = items[index]?.operation ?? 'process';
  const about = { index, operation, cost: nanoToUsd(chargeOf(outcome)), request_id: outcome.requestId };
  if ('failure' in outcome) {
    const { status, error, message, details } = outcome.failure;
    return { ...about, status, data: null, error: { error, message, details: [...details] } };
  }
  return { ...about, status: 200, data: outcome.data as OmmBatchResult['data'], error: null };
}

function chargeOf(outcome: ItemOutcome): bigint {
  return 'failure' in outcome ? 0n : outcome.chargedNanoUsd;
}
