import { Module } from '@nestjs/common';
import { AgentEstimates } from './agent-estimates';
import { AgentsController } from './agents.controller';
import { AgentsService } from './agents.service';

@Module({
  controllers: [AgentsController],
  providers: [AgentEstimates, AgentsService],
})
export class AgentsModule {}
