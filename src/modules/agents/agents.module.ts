import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentEstimates } from './agent-estimates';
import { AgentMemories } from './agent-memories';
import { AgentPreparation } from './agent-preparation';
import { AgentRuns } from './agent-runs.service';
import { AgentRecord } from './agent.entity';
import { AgentsController } from './agents.controller';
import { AgentsRepository } from './agents.repository';
import { AgentsService } from './agents.service';

@Module({
  imports: [TypeOrmModule.forFeature([AgentRecord])],
  controllers: [AgentsController],
  providers: [AgentEstimates, AgentMemories, AgentPreparation, AgentRuns, AgentsRepository, AgentsService],
})
export class AgentsModule {}
