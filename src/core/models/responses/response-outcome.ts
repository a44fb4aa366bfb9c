import type { ItemStatus, OutputItem, ResponseObject } from './response-object';

/** The fields of a response that say how it ended. */
export type ResponseOutcome = Pick<ResponseObject, 'status' | 'incomplete_details'>;

/** What a choice's `finish_reason` means for a response. */
export function responseOutcome(finishReason: string | null | undefined): ResponseOutcome {
  switch (finishReason) {
    case 'length':
      return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    case 'content_filter':
      return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
    default:
      return { status: 'completed', incomplete_details: null };
  }
}

/** The output items with their final status: where the response was cut off, it was its last item that was. */
export function endedItems(items: readonly OutputItem[], outcome: ResponseOutcome): OutputItem[] {
  return items.map((item, index) => ({
    ...item,
    status: index === items.length - 1 ? lastItemStatus(outcome) : 'completed',
  }));
}

/** The status of the last output item of a response that ended so. */
export function lastItemStatus({ status }: ResponseOutcome): ItemStatus {
  return status === 'incomplete' ? 'incomplete' : 'completed';
}
