import { Injectable, Logger } from '@nestjs/common';
import { Metrics } from '../../../infrastructure/metrics/metrics';
import { nanoToUsd } from '../pricing/usd';

/** Why a cost was not charged: neither the balance nor the limits of the key had room for it. */
export type LossReason = 'no_room';

/** What calls cost the operator beyond what their accounts could be charged: a line of the log and a metric for each. */
@Injectable()
export class OperatorLoss {
  private readonly logger = new Logger('OperatorLoss');
  private readonly counts;

  constructor(metrics: Metrics) {
    const family = metrics.counter(
      'operator_loss_usd_total',
      'USD that calls cost beyond their reservations and that could not be charged.',
    );
    this.counts = { no_room: family.labelled({ reason: 'no_room' }) };
  }

  /** Notes a cost that the operator bears, in nano-USD. */
  note(reason: LossReason, nanoUsd: bigint, requestId: string): void {
    this.counts[reason].add(nanoToUsd(nanoUsd));
    this.logger.warn({
      message: 'a call cost more than could be charged',
      reason,
      request_id: requestId,
      loss_nano_usd: nanoUsd.toString(),
    });
  }
}
