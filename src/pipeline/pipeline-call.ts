import { CallState } from '../contract/call-state';
import type { Operation } from '../contract/operation-handler';
import { NO_CREDENTIAL, type Credential } from './credential';

/** A call as the steps see it: with what no handler may see. */
export class PipelineCall extends CallState {
  /** What step 1 looked up and step 2 judges. */
  credential: Credential = NO_CREDENTIAL;
  /** What the controller returned. */
  result: unknown = undefined;

  constructor(
    readonly operation: Operation,
    requestId: string,
    startedAt: Date,
  ) {
    super(operation.policy, requestId, startedAt);
  }

  /** Whether the body asks for a stream. Where the operation has none, that only makes a lease longer than need be. */
  get asksForStream(): boolean {
    return (this.input.body as { stream?: unknown } | null | undefined)?.stream === true;
  }
}
