import { formatUsd } from '../../money/pricing/usd';
import type { FinalNumbers } from './streamed-answer';

/** The event that tells a stream's reader what an answer's headers tell others: a comment, which no client takes for data. */
export function costComment({ chargedNanoUsd, balanceNanoUsd, tokens }: FinalNumbers): string {
  return `: cost=${formatUsd(chargedNanoUsd)} tokens=${tokens} balance=${formatUsd(balanceNanoUsd)}\n\n`;
}
