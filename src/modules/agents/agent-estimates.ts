import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ChatWithAgentRequest, GenerateWithAgentRequest } from '../../../generated/types';
import { Estimates, type Estimate, type EstimatedCall } from '../../contract/estimates';
import { AgentPreparation } from '../../core/agents/agent-preparation';
import type { AgentRun } from '../../core/agents/agent-run';
import { RunBounds } from '../../core/agents/run-bounds';
import { toRunRequest } from './agents.mapper';

/** The run that a call's price was worked out from, which is what runs: its agent may be changed in between. */
export class PlannedRun {
  constructor(readonly run: AgentRun) {}
}

/** Tells the price step the worst case of a run, so that an agent that is not there costs nothing. */
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

  /** @throws NotFound, and what RunBounds.of throws */
  async estimate({ account, body, signal }: EstimatedCall): Promise<Estimate> {
    const request = toRunRequest(body as GenerateWithAgentRequest | ChatWithAgentRequest);
    const run = await this.preparation.prepare(account.id, request);
    const { steps, ...bound } = await this.bounds.of(run, signal);
    return { ...bound, choices: steps, plan: new PlannedRun(run) };
  }
}
