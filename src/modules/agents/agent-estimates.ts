import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ChatWithAgentRequest, GenerateWithAgentRequest } from '../../../generated/types';
import { Estimates, type Estimate, type EstimatedCall } from '../../contract/estimates';
import { AgentPreparation } from '../../core/agents/agent-preparation';
import type { AgentRun } from '../../core/agents/agent-run';
import { RunBounds } from '../../core/agents/run-bounds';
import { toRunRequest } from './agents.mapper';

/** The run that a call was priced by. The handler runs this one, because the agent may have been changed since. */
export class PlannedRun {
  constructor(readonly run: AgentRun) {}
}

/**
 * Estimates the most that a run may use, before anything is reserved: a call of a missing agent fails here for free.
 */
@Injectable()
export class AgentEstimates implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly preparation: AgentPreparation,
    private readonly bounds: RunBounds,
  ) {}

  onModuleInit(): void {
    for (const operationId of ['generateWithAgent', 'chatWithAgent']) {
      this.estimates.register(operationId, (call) => this.estimate(call));
    }
  }

  /** @throws NotFound where the account has no such agent, and what Models.route and RunBounds.of throw */
  async estimate({ account, body, signal }: EstimatedCall): Promise<Estimate> {
    const request = toRunRequest(body as GenerateWithAgentRequest | ChatWithAgentRequest);
    const run = await this.preparation.prepare(account.id, request);
    const { steps, ...bound } = await this.bounds.of(run, signal);
    return { ...bound, choices: steps, plan: new PlannedRun(run) };
  }
}
