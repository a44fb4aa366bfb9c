import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '../../infrastructure/clock/clock';
import { MemoriesRepository } from '../knowledge/memories/memories.repository';
import { RagRetrieval } from '../knowledge/rag/rag-retrieval';
import { AgentMemories } from './agent-memories';
import { AgentPreparation } from './agent-preparation';
import { AgentRuns } from './agent-runs';
import { AgentRecord } from './agent.entity';
import { AgentsRepository } from './agents.repository';
import { RunBounds } from './run-bounds';
import { AgentTools } from './tools/agent-tools';
import { CalculatorTool } from './tools/calculator/calculator.tool';
import { CurrentTimeTool } from './tools/current-time.tool';
import { MemorySearchTool } from './tools/memory-search.tool';
import { RagRetrieveTool } from './tools/rag-retrieve.tool';

/** Stored agents, their runs, and the tools that need only core; other modules register theirs with AgentTools. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([AgentRecord])],
  providers: [
    AgentMemories,
    AgentPreparation,
    AgentRuns,
    AgentsRepository,
    RunBounds,
    {
      provide: AgentTools,
      inject: [MemoriesRepository, RagRetrieval, Clock],
      useFactory: (memories: MemoriesRepository, retrieval: RagRetrieval, clock: Clock) => {
        const tools = new AgentTools();
        tools.register(new CalculatorTool());
        tools.register(new CurrentTimeTool(clock));
        tools.register(new MemorySearchTool(memories, clock));
        tools.register(new RagRetrieveTool(retrieval));
        return tools;
      },
    },
  ],
  exports: [AgentPreparation, AgentRuns, AgentsRepository, AgentTools, RunBounds],
})
export class AgentRunsModule {}
